"""How the sandboxes of a session came up, as JSON."""

from datetime import datetime

from shared.protocol.base import Strict


class BootPhaseView(Strict):
    """How a phase ended: `completed`, perhaps with a warning, or `failed`."""

    phase: str
    status: str
    repository: str | None
    elapsed_ms: int
    warning: str | None
    error: str | None
    output_tail: str | None
    """The end of a failing script's output."""


class BootView(Strict):
    """One attempt. A time that is null has not come, or will not any more."""

    attempt: int
    boot: str
    """From what it was made: `fresh`, `resume`, `restore` or `image`."""
    status: str | None
    phase: str | None
    """The last one that began."""
    started_at: datetime | None
    launched_at: datetime | None
    connected_at: datetime | None
    ready_at: datetime | None
    ended_at: datetime | None
    retired_at: datetime | None
    ending: str | None
    error: str | None
    phases: list[BootPhaseView]


class BootList(Strict):
    """The newest attempt first."""

    boots: list[BootView]
