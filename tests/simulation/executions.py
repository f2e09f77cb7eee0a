"""Step Functions: walks the real definition of `sandbox_life`, one execution for each life.

Slow, repeated and aborted as a seed wants it; within that, what AWS promises: a name runs once, a
token is answered once, and a task that is over does not hear of its late results.
"""

import json
from collections.abc import Callable
from typing import Any, Literal

from shared.domain.session.state import SessionId
from tests.simulation import states
from tests.simulation.clocks import Clocks, Execution, Status
from tests.simulation.lambdas import Ended, Lambdas
from tests.simulation.states import Data, State

type RunStep = Callable[[dict[str, Any]], Any]

_LAMBDA_SECONDS = 300.0
_UNKNOWN_FAULTS = ("Lambda.Unknown", "Sandbox.Timedout", "Lambda.ServiceException")


class Executions:
    def __init__(
        self, definition: Data, lambdas: Lambdas, run_step: RunStep, done: set[object]
    ) -> None:
        self._done = done
        self._definition = definition
        self._states: Data = definition["States"]
        self._lambdas = lambdas
        self._nature = lambdas.nature
        self._run_step = run_step
        self._clocks = Clocks(self._nature, self._fail)
        self.all: dict[str, Execution] = {}
        self._tokens: dict[str, Execution] = {}

    # What our functions ask for.

    def start(self, session_id: SessionId, attempt: int, life: int) -> None:
        self._done.add((attempt, life))
        name = f"{session_id}-{attempt}-{life}"
        if name in self.all:
            return
        data: Data = {"session": session_id, "attempt": attempt, "life": life}
        execution = Execution(name, session_id, attempt, life, data)
        self.all[name] = execution
        self._nature.tell(f"{name}: started")
        self._go(execution, self._definition["StartAt"], 0.01, 0.5)

    def state(
        self, session_id: SessionId, attempt: int, life: int
    ) -> Literal["running", "over", "unknown"]:
        found = self.all.get(f"{session_id}-{attempt}-{life}")
        if found is None:
            return "unknown"
        return "running" if found.status == "RUNNING" else "over"

    def complete(self, token: str, outcome: str, seconds: int | None) -> None:
        self._done.add(token)
        self._complete(token, outcome, seconds)
        if self._nature.chaos.strikes("task completion repeated"):
            self._complete(token, outcome, seconds)

    def _complete(self, token: str, outcome: str, seconds: int | None) -> None:
        execution = self._tokens.pop(token, None)
        if execution is None or execution.token != token:
            return
        late = self._nature.chaos.strikes("task completion delayed")
        self._nature.tell(f"{execution.name}: {execution.state} is told {outcome}")
        self._clocks.stop(execution)
        visit = execution.visit

        def told() -> None:
            if execution.is_at(visit):
                self._succeed(execution, {"outcome": outcome, "seconds": seconds or 1})

        self._nature.later(f"{execution.name} told", told, 0.01, 60.0 if late else 0.3)

    def beat(self, token: str) -> None:
        execution = self._tokens.get(token)
        if execution is not None:
            execution.beat_at = self._nature.agenda.now

    # What happens to executions.

    def running(self) -> list[Execution]:
        return [each for each in self.all.values() if each.status == "RUNNING"]

    def abort(self, execution: Execution) -> None:
        self._nature.tell(f"{execution.name}: aborted in {execution.state}")
        self._end(execution, "ABORTED")

    def _end(self, execution: Execution, status: Status) -> None:
        execution.status = status
        execution.visit += 1
        self._clocks.stop(execution)
        if execution.token is not None:
            self._tokens.pop(execution.token, None)
            execution.token = None

    # Walking.

    def _go(self, execution: Execution, name: str, low: float = 0.0, high: float = 0.05) -> None:
        execution.visit += 1
        execution.state, execution.spent = name, {}
        visit = execution.visit

        def enter() -> None:
            if execution.is_at(visit):
                self._enter(execution)

        self._nature.later(f"{execution.name} {name}", enter, low, high)

    def _enter(self, execution: Execution) -> None:
        """Passes and choices take no time of their own."""
        while True:
            state = self._states[execution.state]
            match state["Type"]:
                case "Pass":
                    result = state.get("Result", execution.data)
                    execution.data = states.put(
                        execution.data, state.get("ResultPath", "$"), result
                    )
                    following = state["Next"]
                case "Choice":
                    following = states.choose(state, execution.data)
                case _:
                    self._begin(execution, state)
                    return
            execution.visit += 1
            execution.state, execution.spent = following, {}

    def _begin(self, execution: Execution, state: State) -> None:
        match state["Type"]:
            case "Task":
                self._try(execution, state)
            case "Succeed":
                self._end(execution, "SUCCEEDED")
            case "Fail":
                self._nature.tell(f"{execution.name}: failed in {execution.state}")
                self._end(execution, "FAILED")
            case "Wait":
                wait = states.seconds(state, execution.data, "Seconds")
                assert wait is not None
                self._go(execution, state["Next"], wait, wait)
            case unknown:
                raise states.Unknown(unknown)

    def _try(self, execution: Execution, state: State) -> None:
        execution.visit += 1
        waits = state["Resource"].endswith(".waitForTaskToken")
        if not waits and ":states:::" in state["Resource"]:
            raise states.Unknown(state["Resource"])
        execution.token = self._nature.new_id("token") if waits else None
        context: Data = {"Task": {"Token": execution.token}}
        asked = states.fill(state["Parameters"], execution.data, context)
        if execution.token is not None:
            self._tokens[execution.token] = execution
            asked = asked["Payload"]
        self._clocks.start(execution, state)
        self._invoke(execution, asked, waits=waits)

    def _invoke(self, execution: Execution, asked: Data, *, waits: bool) -> None:
        visit, name = execution.visit, f"{execution.name} {asked['step']}"

        def once() -> None:
            if execution.is_at(visit) and execution.token == asked.get("token"):
                self._take(execution, visit, self._run(name, asked), waits=waits)

        self._nature.later(name, once, 0.005, 0.1)
        if self._nature.chaos.strikes("step run twice"):
            late = self._nature.rng.choice([2.0, 300.0])
            self._nature.later(name, lambda: self._again(name, asked), 0.005, late)

    def _again(self, name: str, asked: Data) -> None:
        self._run(f"{name} again", asked)

    def _run(self, name: str, asked: Data) -> Ended[Any]:
        self._nature.tell(name)
        return self._lambdas.call(name, lambda: self._run_step(asked), limit=_LAMBDA_SECONDS)

    def _take(self, execution: Execution, visit: int, ended: Ended[Any], *, waits: bool) -> None:
        if not execution.is_at(visit):
            self._nature.tell(f"{execution.name}: a result came too late")
        elif ended.killed or self._nature.chaos.strikes("step's answer lost"):
            self._fail(execution, self._nature.rng.choice(_UNKNOWN_FAULTS))
        elif ended.error is not None:
            self._fail(execution, type(ended.error).__name__)
        elif not waits:
            self._succeed(execution, json.loads(json.dumps(ended.result)))

    def _succeed(self, execution: Execution, result: Any) -> None:
        state = self._states[execution.state]
        self._leave(execution)
        execution.data = states.put(execution.data, state.get("ResultPath", "$"), result)
        if state.get("End"):
            self._nature.tell(f"{execution.name}: over")
            self._end(execution, "SUCCEEDED")
        else:
            self._go(execution, state["Next"])

    def _fail(self, execution: Execution, error: str) -> None:
        state = self._states[execution.state]
        self._nature.tell(f"{execution.name}: {error} in {execution.state}")
        self._leave(execution)
        again = states.retry(state, error, execution.spent)
        caught = states.catch(state, error)
        if again is not None:
            self._retry(execution, state, *again)
        elif caught is not None:
            known = {"Error": error, "Cause": ""}
            execution.data = states.put(execution.data, caught.get("ResultPath", "$"), known)
            self._go(execution, caught["Next"])
        else:
            self._end(execution, "FAILED")

    def _retry(self, execution: Execution, state: State, index: int, longest: float) -> None:
        execution.spent[index] = execution.spent.get(index, 0) + 1
        visit = execution.visit

        def again() -> None:
            if execution.is_at(visit):
                self._try(execution, state)

        self._nature.later(f"{execution.name} tries again", again, 0.0, longest)

    def _leave(self, execution: Execution) -> None:
        execution.visit += 1
        self._clocks.stop(execution)
        if execution.token is not None:
            self._tokens.pop(execution.token, None)
            execution.token = None
