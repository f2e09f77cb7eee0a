"""The append-only log of a session, as the use cases need it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.domain.session.state import SessionId
from shared.domain.timeline import Entry, Frame


@dataclass(frozen=True, slots=True)
class Appended:
    entry: Entry
    already: bool
    """It was there: this is a resend."""


class Timeline(Protocol):
    def append(self, session_id: SessionId, frame: Frame, *, after: int, now: datetime) -> Appended:
        """Put the frame into the first free slot behind `after`, once, however often it is asked.

        One write when slot `after + 1` is free. A failed condition with the returned item means
        taken; any other failure is of unknown result and repeats the same slot, boundedly, then
        raises `Unavailable`.
        """
        ...

    def after(self, session_id: SessionId, seq: int, *, limit: int) -> Sequence[Entry]:
        """Consistent, ascending, from `seq + 1`."""
        ...

    def before(self, session_id: SessionId, seq: int | None, *, limit: int) -> Sequence[Entry]:
        """The last `limit` entries below `seq` (None: of all), ascending."""
        ...
