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
        raises `Contended` or `Unavailable`. The same frame with the same `after` may then be asked
        for again.

        `after` has to be a slot that exists (or 0): whoever lets a client name it signs it first.
        """
        ...

    def after(self, session_id: SessionId, seq: int, *, limit: int) -> Sequence[Entry]:
        """Consistent, ascending, from `seq + 1`, without a hole.

        At most 1 MB: fewer than `limit` do not mean that this was all, none does.
        """
        ...

    def before(self, session_id: SessionId, seq: int | None, *, limit: int) -> Sequence[Entry]:
        """The last entries below `seq` (None: of all), ascending, without a hole, consistent.

        At most `limit` and at most 1 MB: the first one's `seq` says whether there are more.
        """
        ...
