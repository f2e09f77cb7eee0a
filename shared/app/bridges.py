"""What a bridge says, and the one answer to each of its messages.

Session, attempt and connection come from the socket's authorizer; the row of the connected bridge,
which the commit that ends an attempt deletes, is what still lets it speak.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pydantic import ValidationError

from shared.app import cursors
from shared.app.attachment_views import attached
from shared.app.audiences import Audiences
from shared.app.bridge_events import changes_state, commands_of
from shared.app.ports.connections import Audience, BridgeLink, Connections, Sockets
from shared.app.ports.sessions import PromptRecord, SessionStore
from shared.app.ports.timeline import Appended, Timeline
from shared.app.ports.workflow import Lives
from shared.app.problems import first_problem
from shared.app.sessions import Sessions
from shared.app.views import frame_message
from shared.domain.errors import Forbidden, NotFound, Rejected
from shared.domain.session.commands import Beat, Connect
from shared.domain.session.orders import orders
from shared.domain.session.sandbox import Wait
from shared.domain.session.state import Session, SessionId
from shared.domain.timeline import Frame
from shared.protocol import bridge as wire
from shared.protocol.server_events import SERVER_SAYS

PACE = timedelta(milliseconds=100)
"""A frame is answered no sooner than this after the slot before it, so that a commit gets in."""

MAX_SLOTS = 500_000
"""Of one session's timeline: what a runaway or hostile sandbox can store at most."""

BELIEVED = timedelta(minutes=1)
"""How long a cursor is taken for about the tail; with an older one the tail is looked at."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is at the other end of a bridge's socket, as the authorizer established it."""

    session_id: SessionId
    attempt: int
    connection_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridges:
    sessions: Sessions
    store: SessionStore
    timeline: Timeline
    connections: Connections
    audiences: Audiences
    sockets: Sockets
    lives: Lives
    clock: Callable[[], datetime]
    sleep: Callable[[float], None]
    room: int = MAX_SLOTS

    def connect(self, caller: Caller) -> None:
        """Raises `Rejected` when the attempt is over."""
        session = self.store.load(caller.session_id)
        attempt = session.current(caller.attempt)
        key = attempt.cursor_key if attempt else None
        link = BridgeLink(caller.connection_id, caller.attempt, key or "")
        self.connections.attach(caller.session_id, link)

    def disconnect(self, caller: Caller) -> None:
        """Losing the socket stops nothing: the workflow's heartbeat clock goes on by itself."""
        self.connections.detach(caller.session_id, caller.connection_id)

    def handle(self, caller: Caller, message: wire.FromBridge) -> None:
        audience = self.connections.audience(caller.session_id)
        link = audience.bridge
        if link is None or link.connection_id != caller.connection_id:
            self._answer(caller, self._not_yours(caller, message, link))
            return
        match message:
            case wire.Hello():
                self._hello(caller, message, link)
            case wire.FrameMessage():
                self._frame(caller, message, link, audience)
            case wire.Heartbeat():
                self._answer(caller, self._heartbeat(caller))
            case wire.GetPrompt():
                self._answer(caller, self._prompt_part(caller, message))

    def _answer(self, caller: Caller, message: wire.ToBridge) -> None:
        self.sockets.post(caller.connection_id, message.model_dump_json(by_alias=True))

    def _not_yours(
        self, caller: Caller, message: wire.FromBridge, link: BridgeLink | None
    ) -> wire.Refused:
        retired = link is None or link.attempt != caller.attempt
        return wire.Refused(
            id=message.id if isinstance(message, wire.FrameMessage) else "",
            code="retired" if retired else "replaced",
            message="this attempt is over" if retired else "a newer socket took over",
            final=retired,
            retired=retired,
        )

    def _hello(self, caller: Caller, message: wire.Hello, link: BridgeLink) -> None:
        connect = Connect(caller.attempt, message.marker)
        session = self.sessions.handle(caller.session_id, connect)
        live = replace(link, live=True, protocol=message.protocol)
        try:
            self.connections.attach(caller.session_id, live)
        except Rejected:
            # It may have ended by what this very hello says of its disk.
            self._answer(caller, self._not_yours(caller, message, None))
            return
        cursor = self._cursor(caller, link, cursors.Cursor(self._tail(caller), self.clock()))
        self._answer(caller, wire.Welcome(cursor=cursor, orders=_orders(session, caller)))

    def _cursor(self, caller: Caller, link: BridgeLink, cursor: cursors.Cursor) -> str:
        return cursors.issue(link.cursor_key, caller.session_id, caller.attempt, cursor)

    def _heartbeat(self, caller: Caller) -> wire.Orders:
        session = self.sessions.handle(caller.session_id, Beat(caller.attempt))
        attempt = session.current(caller.attempt)
        if attempt and attempt.armed and attempt.armed.wait in {Wait.READY, Wait.SERVE}:
            self.lives.beat(attempt.armed.token)
        return _orders(session, caller)

    def _prompt_part(self, caller: Caller, asked: wire.GetPrompt) -> wire.ToBridge:
        try:
            record = self.store.prompt(caller.session_id, asked.prompt)
        except NotFound as error:
            return wire.Refused(code=error.code, message=str(error))
        text = record.text if asked.attachments else _with_missing(record)
        return wire.PromptPart(
            prompt=asked.prompt,
            offset=asked.offset,
            text=text[asked.offset : asked.offset + wire.PROMPT_PART_CHARS],
            total=len(text),
            author_name=record.prompt.author.name,
            author_email=record.prompt.author.email,
            model=record.prompt.model,
            effort=record.prompt.effort,
            attachments=[attached(file) for file in record.attachments],
        )

    def _frame(
        self, caller: Caller, message: wire.FrameMessage, link: BridgeLink, audience: Audience
    ) -> None:
        try:
            after = cursors.read(link.cursor_key, caller.session_id, caller.attempt, message.after)
            self._check_room(caller, after)
            appended = self._store(caller, message, after.seq)
        except (Forbidden, ValidationError) as error:
            code = error.code if isinstance(error, Forbidden) else "malformed"
            refused = wire.Refused(id=message.id, code=code, message=_sentence(error))
            self._answer(caller, refused)
            return
        entry = appended.entry
        pushes = self.audiences.start_pushes(caller.session_id, audience.live, frame_message(entry))
        self._pace(after, entry.seq)
        cursor = self._cursor(caller, link, cursors.Cursor(entry.seq, entry.at))
        self._answer(caller, wire.Ack(id=message.id, cursor=cursor))
        self.audiences.await_pushes(pushes)

    def _check_room(self, caller: Caller, after: cursors.Cursor) -> None:
        """A cursor is good for ever, so an old one says nothing about how full the log is."""
        taken = after.seq
        if self.clock() - after.at > BELIEVED:
            taken = self._tail(caller)
        if taken >= self.room:
            raise Forbidden(f"this session's timeline is full at {self.room} frames")

    def _tail(self, caller: Caller) -> int:
        newest = self.timeline.before(caller.session_id, None, limit=1)
        return newest[-1].seq if newest else 0

    def _store(self, caller: Caller, message: wire.FrameMessage, after: int) -> Appended:
        frame = Frame(message.id, tuple(message.events), caller.attempt)
        if not SERVER_SAYS.isdisjoint(str(event.get("type")) for event in frame.events):
            raise Forbidden("a sandbox cannot say what only the server says")
        if changes_state(frame.events):
            commands = commands_of(frame.events, caller.attempt)
            return self.sessions.handle_frame(caller.session_id, commands, frame, after=after)
        return self.timeline.append(caller.session_id, frame, after=after, now=self.clock())

    def _pace(self, after: cursors.Cursor, slot: int) -> None:
        """Only of the slot right before it does a cursor tell how long that one has been there."""
        now = self.clock()
        early = PACE - (now - (after.at if slot == after.seq + 1 else now))
        if early > timedelta():
            self.sleep(early.total_seconds())


def _with_missing(record: PromptRecord) -> str:
    """For the bridge of a sandbox that was made before there were attachments."""
    if not record.attachments:
        return record.text
    names = ", ".join(file.name for file in record.attachments)
    return f"{record.text}\n\n(Images that cannot be shown in this sandbox: {names})".lstrip()


def _orders(session: Session, caller: Caller) -> wire.Orders:
    todo = orders(session, caller.attempt)
    return wire.Orders(do=todo.do, prompt=todo.prompt)


def _sentence(error: Forbidden | ValidationError) -> str:
    if isinstance(error, Forbidden):
        return str(error)
    return str(first_problem(error))
