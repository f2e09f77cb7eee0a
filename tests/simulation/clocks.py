"""One execution of a workflow, and the two clocks of the task that it is at."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from shared.domain.session.state import SessionId
from tests.simulation import states
from tests.simulation.agenda import Item
from tests.simulation.nature import Nature
from tests.simulation.states import Data, State

type Status = Literal["RUNNING", "SUCCEEDED", "FAILED", "ABORTED"]


@dataclass(slots=True)
class Execution:
    name: str
    session: SessionId
    attempt: int
    life: int
    data: Data
    state: str = ""
    status: Status = "RUNNING"
    visit: int = 0
    """Which try of which state this is: results of an earlier one come too late."""
    token: str | None = None
    beat_at: float = 0.0
    spent: dict[int, int] = field(default_factory=dict[int, int])
    clocks: list[Item] = field(default_factory=list[Item])

    def is_at(self, visit: int) -> bool:
        return self.status == "RUNNING" and self.visit == visit


class Clocks:
    """`fail` is told of the execution whose time is over, and the error."""

    def __init__(self, nature: Nature, fail: Callable[[Execution, str], None]) -> None:
        self._nature = nature
        self._fail = fail

    def start(self, execution: Execution, state: State) -> None:
        timeout = states.seconds(state, execution.data, "TimeoutSeconds")
        if timeout is not None:
            self._ring(execution, timeout, "States.Timeout")
        execution.beat_at = self._nature.agenda.now
        silence = states.seconds(state, execution.data, "HeartbeatSeconds")
        if silence is not None:
            self._listen(execution, silence, silence)

    def _ring(self, execution: Execution, delay: float, error: str) -> None:
        visit = execution.visit

        def ring() -> None:
            if execution.is_at(visit):
                self._fail(execution, error)

        execution.clocks.append(self._nature.agenda.add(delay, f"{execution.name} {error}", ring))

    def _listen(self, execution: Execution, silence: float, delay: float) -> None:
        visit = execution.visit

        def listen() -> None:
            if not execution.is_at(visit):
                return
            left = execution.beat_at + silence - self._nature.agenda.now
            if left > 0:
                self._listen(execution, silence, left)
            else:
                self._fail(execution, "States.HeartbeatTimeout")

        execution.clocks.append(self._nature.agenda.add(delay, f"{execution.name} silence", listen))

    def stop(self, execution: Execution) -> None:
        for clock in execution.clocks:
            self._nature.agenda.drop(clock)
        execution.clocks.clear()
