"""How a session's attempts came up and went: history that people ask for and nothing decides by."""

from dataclasses import dataclass
from datetime import datetime

from shared.domain.session.facts import BootPhase


@dataclass(frozen=True, slots=True, kw_only=True)
class BootRecord:
    """One attempt. Its times are those of the commits; None: it has not come to that."""

    attempt: int
    boot: str
    """From what it was made: `fresh`, `resume`, `restore` or `image`."""
    status: str | None = None
    """Of its sandbox, as last heard."""
    phase: str | None = None
    """The last one that began."""
    started_at: datetime | None = None
    launched_at: datetime | None = None
    connected_at: datetime | None = None
    ready_at: datetime | None = None
    ended_at: datetime | None = None
    retired_at: datetime | None = None
    ending: str | None = None
    error: str | None = None
    phases: tuple[BootPhase, ...] = ()
    """How each ended that has, in that order."""
