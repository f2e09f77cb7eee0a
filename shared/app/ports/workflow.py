"""The workflow that is the life of a sandbox, and the clock that pokes."""

from datetime import datetime
from typing import Literal, Protocol

from shared.domain.session.state import SessionId


class Lives(Protocol):
    def start(self, session_id: SessionId, attempt: int, life: int) -> None:
        """Idempotent by name: one that runs or ran is the one."""
        ...

    def state(
        self, session_id: SessionId, attempt: int, life: int
    ) -> Literal["running", "over", "unknown"]:
        """Unknown: it was never started, or so long ago that nobody remembers."""
        ...

    def complete(self, token: str, outcome: str, seconds: int | None) -> None:
        """A token that nobody waits with any more is ignored.

        `seconds`: how long the wait that follows may take.
        """
        ...

    def beat(self, token: str) -> None:
        """The sandbox lives. A dead token is ignored."""
        ...


class Timers(Protocol):
    def poke_at(self, session_id: SessionId, attempt: int, due: datetime) -> None:
        """One pending poke for each attempt: a later call moves it."""
        ...
