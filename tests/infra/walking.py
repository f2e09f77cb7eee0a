"""Walks the definition of `sandbox_life` with the real steps of the app, as Step Functions would.

Time passes only when a test says so: a wait stands until the session completes its token, or until
the test lets one of its clocks run out. Waiting between two tries takes no time.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from infra.sandbox_life import State, definition
from shared.app.lives import Life
from shared.edge.task import run_step
from tests.world import World

MAX_STEPS = 200
"""More without a wait in between is a circle."""


class Killed(Exception):
    """The function died; Step Functions calls that `Sandbox.Timedout` or `Lambda.Unknown`."""


@dataclass(frozen=True, slots=True)
class Waiting:
    state: str
    token: str
    seconds: int
    heartbeat: int | None


@dataclass
class Walk:
    world: World
    life: Life
    number: int = 1
    """Which life of the attempt it is."""
    path: list[str] = field(default_factory=list[str])
    """The states, each as often as it was entered."""
    errors: dict[str, list[Exception]] = field(default_factory=dict[str, list[Exception]])
    """By step: instead of being done, its next tries raise these."""
    deaths: dict[str, list[Exception]] = field(default_factory=dict[str, list[Exception]])
    """By step: its next tries are done, and raise these all the same."""
    waiting: Waiting | None = None
    ended: str | None = None

    def __post_init__(self) -> None:
        self._states: Mapping[str, State] = definition()["States"]
        ids = {"session": self.life.session_id, "attempt": self.life.attempt, "life": self.number}
        self._data: dict[str, Any] = ids
        self._tries: Counter[tuple[int, int]] = Counter()
        self._enter("Prepare")
        self._go()

    def goes_on(self) -> "Walk":
        """Whatever the session has told it by now."""
        self._go()
        return self

    def time_runs_out(self) -> "Walk":
        return self._clock("States.Timeout")

    def silence(self) -> "Walk":
        """No heartbeat came."""
        assert self.waiting is not None
        assert self.waiting.heartbeat is not None
        return self._clock("States.HeartbeatTimeout")

    def since(self, state: str) -> list[str]:
        """Where it went after that state was entered last."""
        last = len(self.path) - 1 - self.path[::-1].index(state)
        return self.path[last + 1 :]

    def _clock(self, error: str) -> "Walk":
        assert self.waiting is not None
        state = self._states[self.waiting.state]
        self.waiting = None
        self._caught(state, error)
        self._go()
        return self

    def _go(self) -> None:
        for _ in range(MAX_STEPS):
            if self.ended or (self.waiting and not self._told()):
                return
            if self.waiting is None:
                self._step()
        raise AssertionError(f"it turns in circles: {self.path[-8:]}")

    def _told(self) -> bool:
        """The session has completed the token that it waits with."""
        assert self.waiting is not None
        token, state = self.waiting.token, self._states[self.waiting.state]
        if token not in self.world.workflow.completed:
            return False
        seconds = self.world.workflow.seconds[token] or 1
        self.waiting = None
        outcome = {"outcome": self.world.workflow.completed[token], "seconds": seconds}
        self._done(state, outcome)
        return True

    def _enter(self, name: str) -> None:
        self._now = name
        self._tries.clear()
        self.path.append(name)

    def _step(self) -> None:
        state = self._states[self._now]
        match state["Type"]:
            case "Task":
                self._task(state)
            case "Choice":
                self._enter(self._choice(state))
            case "Pass" if "Parameters" in state:
                self._done(state, self._filled(state["Parameters"], ""))
            case "Pass":
                self._done(state, state["Result"])
            case _:
                self.ended = self._now

    def _choice(self, state: State) -> str:
        for way in state["Choices"]:
            if self._select(way["Variable"]) == way["StringEquals"]:
                return way["Next"]
        return state["Default"]

    def _task(self, state: State) -> None:
        waits = "Payload" in state["Parameters"]
        token = f"{self.number}-{len(self.path)}-{sum(self._tries.values())}"
        parameters = state["Parameters"]["Payload"] if waits else state["Parameters"]
        if waits:
            self.waiting = self._wait(state, token)
        try:
            answer = self._call(self._filled(parameters, token))
        except Exception as error:  # noqa: BLE001  whatever it is, Step Functions decides by its name
            self.waiting = None
            self._failed(state, _name(error))
            return
        if not waits:
            self._done(state, answer)

    def _wait(self, state: State, token: str) -> Waiting:
        path = state.get("HeartbeatSecondsPath")
        seconds, heartbeat = self._select(state["TimeoutSecondsPath"]), path and self._select(path)
        assert isinstance(seconds, int)
        assert seconds >= 1
        # Step Functions wants it so.
        assert heartbeat is None or heartbeat < seconds
        return Waiting(self._now, token, seconds, heartbeat)

    def _call(self, event: Mapping[str, Any]) -> Any:
        step = event["step"]
        if self.errors.get(step):
            raise self.errors[step].pop(0)
        answer = run_step(event, self.world.lives)
        if self.deaths.get(step):
            raise self.deaths[step].pop(0)
        return answer

    def _failed(self, state: State, error: str) -> None:
        for index, retry in enumerate(state.get("Retry", [])):
            if {error, "States.ALL"} & set(retry["ErrorEquals"]):
                self._tries[id(state), index] += 1
                if self._tries[id(state), index] <= retry["MaxAttempts"]:
                    return
                break
        self._caught(state, error)

    def _caught(self, state: State, error: str) -> None:
        for way in state.get("Catch", []):
            if {error, "States.ALL"} & set(way["ErrorEquals"]):
                self._put(way["ResultPath"], {"Error": error, "Cause": "its text"})
                self._enter(way["Next"])
                return
        self.ended = error

    def _done(self, state: State, result: Any) -> None:
        self._put(state.get("ResultPath", "$"), dict(result))
        if state.get("End"):
            self.ended = self._now
        else:
            self._enter(state["Next"])

    def _put(self, path: str | None, result: Any) -> None:
        if path is not None:
            whole = path == "$"
            self._data = result if whole else self._data | {path.removeprefix("$."): result}

    def _filled(self, parameters: Mapping[str, str], token: str) -> dict[str, Any]:
        filled: dict[str, Any] = {}
        for name, value in parameters.items():
            if not name.endswith(".$"):
                filled[name] = value
            elif value == "$$.Task.Token":
                filled[name.removesuffix(".$")] = token
            else:
                filled[name.removesuffix(".$")] = self._select(value)
        return filled

    def _select(self, path: str) -> Any:
        """Raises `KeyError` where Step Functions would fail with `States.Runtime`."""
        found: Any = self._data
        for part in path.removeprefix("$.").split("."):
            found = found[part]
        return found


def _name(error: Exception) -> str:
    return "Lambda.Unknown" if isinstance(error, Killed) else type(error).__name__
