"""Following a session without losing, repeating or reordering anything: the rules, without I/O.

    opened ─▶ subscribe ─▶ subscribed ─▶ frames, pages, pongs ... ─▶ a parting ─▶ opened ─▶ ...

The cursor is the newest slot that was delivered. Slots are dense, so a frame that is not the next
one means that others are missing; they may still be on their way for a moment (pushes have no
order), then they are fetched. Every pong carries the tail, so the last frame is missed no longer
than until the next ping. A connection is given up when nothing answers, and replaced before API
Gateway would cut it at two hours; the next one resumes from the same cursor.

This file opens no socket and reads no clock. `received` is told what came and answers with what is
now due to be delivered; `due` says what to send, `next_look` when to ask again.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from shared.client.errors import Refused
from shared.client.wire import entry_of
from shared.protocol.api import EntryView
from shared.protocol.client import (
    Error,
    Fetch,
    Frame,
    Page,
    Ping,
    Pong,
    Subscribe,
    Subscribed,
    ToClient,
)

type Moment = timedelta
"""A reading of a clock that never goes back, since whenever it began."""

AHEAD = 1_000
"""Slots kept while earlier ones are missing; what is further ahead is fetched in its turn."""

FETCHED_AT_ONCE = 100

TRANSIENT = frozenset({"contended", "internal", "unavailable"})
"""Error codes after which the same request may succeed."""

_STARTS = frozenset({"prompt_queued", "prompt_dispatched", "prompt_started"})


@dataclass(frozen=True, slots=True)
class Pace:
    """API Gateway ends a connection that is idle for 10 minutes or older than 2 hours."""

    hole: timedelta = timedelta(milliseconds=300)
    ping_running: timedelta = timedelta(seconds=20)
    ping_idle: timedelta = timedelta(seconds=60)
    answer: timedelta = timedelta(seconds=10)
    """How long an answer may take; a socket that says nothing for longer is dead."""
    lifetime: timedelta = timedelta(hours=1, minutes=50)
    proven: timedelta = timedelta(seconds=10)
    """A connection that lasted this long was a good one: the next failure is a first one."""


class Parting(StrEnum):
    ROLL_OVER = "roll_over"
    SILENT = "silent"
    REFUSED = "refused"
    """For now: the same may be asked again on another connection."""


@dataclass(slots=True)
class _Link:
    """What is known of one connection."""

    opened: Moment
    lifetime: timedelta
    heard: Moment
    pinged: Moment
    subscribed: bool = False
    refused: bool = False
    hole_due: Moment | None = None
    fetched: Moment | None = None
    """When the fetch was sent that is not answered yet."""


@dataclass(slots=True)
class Follow:
    """One reader's place in one session's timeline, across any number of connections."""

    cursor: int
    pace: Pace = field(default_factory=Pace)
    _tail: int = 0
    _ahead: dict[int, EntryView] = field(default_factory=dict[int, EntryView])
    _running: bool = False
    _joined_at: int = 0
    _link: _Link | None = None

    def opened(self, now: Moment, lifetime: timedelta | None = None) -> Subscribe:
        """A new connection; `lifetime` is its own, so that not everybody rolls over at once."""
        self._link = _Link(now, lifetime or self.pace.lifetime, heard=now, pinged=now)
        return Subscribe(after=self.cursor)

    def received(self, message: ToClient, now: Moment) -> tuple[EntryView, ...]:
        """The entries that follow the cursor without a hole. Raises `Refused`."""
        link = self._current()
        link.heard = now
        match message:
            case Subscribed():
                link.subscribed = True
                self._joined_at = message.tail
                self._running = message.session.running is not None
                return self._take(message.frames, message.tail, now, more=message.more)
            case Page():
                link.fetched = link.hole_due = None
                return self._take(message.frames, message.tail, now, more=message.more)
            case Frame():
                return self._take((message,), message.seq, now)
            case Pong():
                return self._take((), message.tail, now)
            case Error():
                self._refused(message, link)
                return ()
            case _:
                return ()

    def due(self, now: Moment) -> tuple[Fetch | Ping, ...]:
        link = self._current()
        messages: list[Fetch | Ping] = []
        if link.subscribed and now >= _fetch_at(link, self.pace):
            link.fetched = now
            messages.append(Fetch(after=self.cursor, limit=FETCHED_AT_ONCE))
        if link.subscribed and now >= self._ping_at(link):
            link.pinged = now
            messages.append(Ping())
        return tuple(messages)

    def next_look(self) -> Moment:
        """When `due` or `parting` may say something new, if nothing comes in before."""
        link = self._current()
        over = min(link.opened + link.lifetime, self._silent_at(link))
        if not link.subscribed:
            return over
        return min(over, self._ping_at(link), _fetch_at(link, self.pace))

    def parting(self, now: Moment) -> Parting | None:
        """Why this connection is to be replaced; None: it is not."""
        link = self._current()
        if link.refused:
            return Parting.REFUSED
        if now >= self._silent_at(link):
            return Parting.SILENT
        return Parting.ROLL_OVER if now >= link.opened + link.lifetime else None

    def proven(self, now: Moment) -> bool:
        link = self._current()
        return link.subscribed and now - link.opened >= self.pace.proven

    def _current(self) -> _Link:
        assert self._link is not None, "opened() comes first"
        return self._link

    def _take(
        self, frames: Iterable[Frame], tail: int, now: Moment, *, more: bool = False
    ) -> tuple[EntryView, ...]:
        self._tail = max(self._tail, tail)
        for frame in frames:
            if self.cursor < frame.seq <= self.cursor + AHEAD:
                self._ahead[frame.seq] = entry_of(frame)
        ready: list[EntryView] = []
        while (entry := self._ahead.pop(self.cursor + 1, None)) is not None:
            self.cursor = entry.seq
            self._note(entry)
            ready.append(entry)
        self._plan_fetch(now, progressed=bool(ready), more=more)
        return tuple(ready)

    def _plan_fetch(self, now: Moment, *, progressed: bool, more: bool) -> None:
        link = self._current()
        if more and progressed:
            link.hole_due = now
        elif self._tail <= self.cursor:
            link.hole_due = None
        elif link.hole_due is None or progressed:
            link.hole_due = now + self.pace.hole

    def _note(self, entry: EntryView) -> None:
        if entry.seq <= self._joined_at:
            return  # history; the snapshot has said how it is by now
        types = {event.get("type") for event in entry.events}
        if types & _STARTS:
            self._running = True
        elif "prompt_finished" in types:
            self._running = False

    def _ping_at(self, link: _Link) -> Moment:
        return link.pinged + (self.pace.ping_running if self._running else self.pace.ping_idle)

    def _silent_at(self, link: _Link) -> Moment:
        """When a connection without an answer is taken for dead."""
        if not link.subscribed:
            return link.opened + self.pace.answer
        unanswered = link.pinged > link.heard
        return (link.pinged if unanswered else self._ping_at(link)) + self.pace.answer

    def _refused(self, error: Error, link: _Link) -> None:
        """`unauthenticated` means this socket: what the user may is said with the next ticket.

        Any other error after joining answers a fetch or a ping, which are repeated anyway.
        """
        if error.code == "unauthenticated":
            link.refused = True
        elif not link.subscribed:
            if error.code not in TRANSIENT:
                raise Refused(error.message, code=error.code)
            link.refused = True


def _fetch_at(link: _Link, pace: Pace) -> Moment:
    if link.hole_due is None:
        return timedelta.max
    if link.fetched is None:
        return link.hole_due
    return max(link.hole_due, link.fetched + pace.answer)
