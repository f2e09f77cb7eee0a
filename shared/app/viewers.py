"""People who watch a session: joining, catching up, presence.

Joining registers first and reads afterwards, so nothing falls between the snapshot and the stream;
what arrives twice is recognised by its slot.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.app import tokens, views
from shared.app.audiences import Audiences
from shared.app.ports.connections import Audience, Connections, Gone, Sockets, Viewer
from shared.app.ports.logins import Logins
from shared.app.ports.sessions import SessionStore
from shared.app.ports.timeline import Timeline
from shared.app.ports.workspace import Ticket, Tickets, User, Users
from shared.domain.access import Scope
from shared.domain.errors import Unauthenticated
from shared.domain.session.state import SessionId, UserId
from shared.domain.timeline import Entry
from shared.protocol import client as wire
from shared.protocol.base import Strict

TICKET_LIFE = timedelta(seconds=60)
PAGE_BYTES = 24 * 1024
PAGE_ENTRIES = 200
WATCHING = timedelta(minutes=2)
"""A viewer who pinged no longer ago than this counts as watching."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who is at the other end of a client's socket, as the authorizer established it."""

    session_id: SessionId
    user: UserId
    name: str
    connection_id: str
    scope: Scope = "write"
    login: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewers:
    store: SessionStore
    timeline: Timeline
    connections: Connections
    tickets: Tickets
    users: Users
    logins: Logins
    audiences: Audiences
    sockets: Sockets
    clock: Callable[[], datetime]

    def issue_ticket(
        self,
        session_id: SessionId,
        user: User,
        scope: Scope = "write",
        login: str | None = None,
    ) -> tuple[str, Ticket]:
        """Raises `NotFound`."""
        self.store.load(session_id)
        until = self.clock() + TICKET_LIFE
        ticket = Ticket(session_id, user.id, user.shown_name, until, scope, login, user.epoch)
        text = tokens.new_ticket()
        self.tickets.issue(tokens.digest(text), ticket)
        return text, ticket

    def admit(self, ticket_text: str) -> Ticket:
        """Raises `Unauthenticated`. Uses nothing up: that is `connect`'s, in its transaction."""
        ticket = self.tickets.peek(tokens.digest(ticket_text))
        if ticket is None or ticket.expires_at <= self.clock():
            raise Unauthenticated("this ticket is used up or expired; ask for a new one")
        self._check_signed_in(ticket)
        return ticket

    def _check_signed_in(self, ticket: Ticket) -> None:
        """Whoever signs out has their sockets closed: a ticket is to open none after that."""
        user = self.users.get(ticket.user)
        signed_out = ticket.login is not None and self.logins.get(ticket.login) is None
        if user is None or signed_out or ticket.epoch not in {None, user.epoch}:
            raise Unauthenticated("who asked for this ticket has signed out since")

    def connect(self, watcher: Watcher, ticket_text: str) -> None:
        """Raises `Unauthenticated`."""
        self.connections.join(
            watcher.session_id, _viewer(watcher), tokens.digest(ticket_text), self.clock()
        )

    def disconnect(self, watcher: Watcher) -> None:
        self.connections.leave(watcher.session_id, watcher.connection_id)
        self._tell_presence(watcher.session_id)

    def subscribe(self, watcher: Watcher, asked: wire.Subscribe) -> None:
        viewer = replace(_viewer(watcher), live=True, seen_at=self.clock())
        self.connections.update(watcher.session_id, viewer)
        session = self.store.load(watcher.session_id)
        entries = self._entries(watcher.session_id, asked.after)
        audience = self.connections.audience(watcher.session_id)
        kept, more = _cut(entries, newest=asked.after is None)
        subscribed = wire.Subscribed(
            session=views.of_session(session),
            user=watcher.user,
            participants=views.participants(audience.live),
            frames=[views.frame_message(entry) for entry in kept],
            tail=_tail(entries) or self._newest(watcher.session_id),
            more=more or (asked.after is not None and len(entries) == PAGE_ENTRIES),
        )
        self._answer(watcher, subscribed)
        self._tell_presence(watcher.session_id, audience)

    def _entries(self, session_id: SessionId, after: int | None) -> Sequence[Entry]:
        if after is None:
            return self.timeline.before(session_id, None, limit=PAGE_ENTRIES)
        return self.timeline.after(session_id, after, limit=PAGE_ENTRIES)

    def fetch(self, watcher: Watcher, asked: wire.Fetch) -> None:
        newest = asked.after is None
        entries = (
            self.timeline.before(watcher.session_id, asked.before, limit=asked.limit)
            if asked.after is None
            else self.timeline.after(watcher.session_id, asked.after, limit=asked.limit)
        )
        kept, cut = _cut(entries, newest=newest)
        frames = [views.frame_message(entry) for entry in kept]
        more = cut or len(entries) == asked.limit
        page = wire.Page(frames=frames, tail=self._newest(watcher.session_id), more=more)
        self._answer(watcher, page)

    def ping(self, watcher: Watcher) -> None:
        self._touch(watcher, visible=None)
        self._answer(watcher, wire.Pong(tail=self._newest(watcher.session_id)))

    def presence(self, watcher: Watcher, *, visible: bool) -> None:
        self._touch(watcher, visible=visible)
        self._tell_presence(watcher.session_id)

    def _touch(self, watcher: Watcher, *, visible: bool | None) -> None:
        audience = self.connections.audience(watcher.session_id)
        known = (v for v in audience.live if v.connection_id == watcher.connection_id)
        viewer = next(known, None)
        if viewer is None:
            raise Unauthenticated("subscribe first")
        seen = replace(viewer, seen_at=self.clock())
        changed = seen if visible is None else replace(seen, visible=visible)
        try:
            self.connections.update(watcher.session_id, changed)
        except Gone:
            raise Unauthenticated("this socket is closed") from None

    def watched(self, session_id: SessionId) -> bool:
        """Whether somebody looks at the session now."""
        oldest = self.clock() - WATCHING
        return any(
            viewer.visible and viewer.seen_at is not None and viewer.seen_at >= oldest
            for viewer in self.connections.audience(session_id).live
        )

    def _newest(self, session_id: SessionId) -> int:
        return _tail(self.timeline.before(session_id, None, limit=1))

    def _tell_presence(self, session_id: SessionId, audience: Audience | None = None) -> None:
        live = (audience or self.connections.audience(session_id)).live
        update = wire.PresenceUpdate(participants=views.participants(live))
        pushes = self.audiences.start_pushes(session_id, live, update)
        self.audiences.await_pushes(pushes)

    def _answer(self, watcher: Watcher, message: Strict) -> None:
        text = message.model_dump_json(by_alias=True)
        try:
            self.sockets.post(watcher.connection_id, text)
        except Gone:
            self.connections.leave(watcher.session_id, watcher.connection_id)


def _viewer(watcher: Watcher) -> Viewer:
    return Viewer(watcher.connection_id, watcher.user, watcher.name, login=watcher.login)


def _tail(entries: Sequence[Entry]) -> int:
    return entries[-1].seq if entries else 0


def _cut(entries: Sequence[Entry], *, newest: bool) -> tuple[Sequence[Entry], bool]:
    """As many as one message holds: from the old end, or with `newest` from the new one."""
    room = PAGE_BYTES
    kept: list[Entry] = []
    for entry in reversed(entries) if newest else entries:
        room -= len(views.frame_message(entry).model_dump_json(by_alias=True).encode())
        if kept and room < 0:
            break
        kept.append(entry)
    return (kept[::-1] if newest else kept), len(kept) < len(entries)
