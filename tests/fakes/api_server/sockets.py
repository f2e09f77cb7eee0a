"""The client WebSocket of the scripted server: one-use tickets, and pushes that may go wrong."""

import http
import secrets
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

from pydantic import ValidationError
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import Server, ServerConnection, serve

from shared.protocol import api, client
from tests.fakes.api_server.sessions import PATIENCE, Push, Sessions

PAGE = 3
"""Frames in one answer: small, so that every longer session is fetched in pieces."""


@dataclass(slots=True)
class Viewer:
    connection: ServerConnection
    session_id: str
    live: bool = False
    kept_back: list[client.Frame] = field(default_factory=list[client.Frame])


@dataclass(slots=True)
class Sockets:
    sessions: Callable[[], Sessions]
    pushes: dict[int, Push] = field(default_factory=dict[int, Push])
    refuse_tickets: int = 0
    """The next so many handshakes are refused, as those of expired tickets are."""
    close_before: dict[int, int] = field(default_factory=dict[int, int])
    """By slot: close the sockets with this code instead of pushing it."""
    heard: list[client.FromClient] = field(default_factory=list[client.FromClient])
    _tickets: dict[str, str] = field(default_factory=dict[str, str])
    _viewers: list[Viewer] = field(default_factory=list[Viewer])
    _url: str = ""

    @contextmanager
    def running(self) -> Generator[None]:
        with serve(self._handle, "127.0.0.1", 0, process_request=self._admit) as server:
            self._url = f"ws://127.0.0.1:{_port(server)}/live"
            thread = threading.Thread(target=server.serve_forever, daemon=True)
            thread.start()
            try:
                yield
            finally:
                self.close_all(1001)
                server.shutdown()
                thread.join(10)

    def ticket(self, session_id: str) -> api.SocketTicket:
        ticket = secrets.token_urlsafe(16)
        self._tickets[ticket] = session_id
        expires = datetime.now(UTC) + timedelta(seconds=60)
        url = f"{self._url}?ticket={ticket}"
        return api.SocketTicket(ticket=ticket, url=url, expires_at=expires)

    def publish(self, session_id: str, frame: client.Frame) -> None:
        code = self.close_before.pop(frame.seq, None)
        if code is not None:
            self.close_all(code)
            return
        for viewer in [v for v in self._viewers if v.live and v.session_id == session_id]:
            with suppress(ConnectionClosed):
                self._push(viewer, frame)

    def close_all(self, code: int) -> None:
        viewers, self._viewers = self._viewers, []
        for viewer in viewers:
            viewer.connection.close(code)

    def wait_until_nobody_watches(self) -> bool:
        changed = self.sessions().changed
        with changed:
            return changed.wait_for(lambda: not self._viewers, PATIENCE.total_seconds())

    def _push(self, viewer: Viewer, frame: client.Frame) -> None:
        match self.pushes.get(frame.seq):
            case Push.LOST:
                return
            case Push.LATE:
                viewer.kept_back.append(frame)
                return
            case Push.TWICE:
                _send(viewer.connection, frame)
            case None:
                pass
        _send(viewer.connection, frame)
        while viewer.kept_back:
            _send(viewer.connection, viewer.kept_back.pop())

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        (ticket,) = parse_qs(urlsplit(request.path).query).get("ticket", [""])
        if ticket not in self._tickets or self.refuse_tickets > 0:
            self.refuse_tickets -= 1
            self._tickets.pop(ticket, None)
            return connection.respond(http.HTTPStatus.UNAUTHORIZED, "no such ticket")
        connection.username = self._tickets.pop(ticket)
        return None

    def _handle(self, connection: ServerConnection) -> None:
        viewer = Viewer(connection, connection.username or "")
        self._viewers.append(viewer)
        with suppress(ConnectionClosed):
            for text in connection:
                self._message(viewer, text)
        with suppress(ValueError), self.sessions().changed:
            self._viewers.remove(viewer)
            self.sessions().changed.notify_all()

    def _message(self, viewer: Viewer, text: str | bytes) -> None:
        try:
            message = client.FROM_CLIENT.validate_json(text)
        except ValidationError as error:
            _send(viewer.connection, client.Error(code="malformed", message=str(error)))
            return
        self.heard.append(message)
        with self.sessions().changed:
            self._answer(viewer, message)

    def _answer(self, viewer: Viewer, message: client.FromClient) -> None:
        frames = self.sessions().get(viewer.session_id).frames
        match message:
            case client.Subscribe(after=after):
                self._subscribe(viewer, frames[after or 0 :])
            case _ if not viewer.live:
                refusal = client.Error(code="unauthenticated", message="subscribe first")
                _send(viewer.connection, refusal)
            case client.Fetch(after=after, limit=limit):
                page = frames[after or 0 :][: min(limit, PAGE)]
                more = bool(page) and page[-1].seq < len(frames)
                _send(viewer.connection, client.Page(frames=page, tail=len(frames), more=more))
            case client.Ping():
                _send(viewer.connection, client.Pong(tail=len(frames)))
            case _:
                pass

    def _subscribe(self, viewer: Viewer, asked: list[client.Frame]) -> None:
        sessions = self.sessions()
        session = sessions.get(viewer.session_id)
        page = asked[:PAGE]
        viewer.live = True
        snapshot = client.Subscribed(
            session=session.view,
            user="ada",
            participants=[],
            frames=page,
            # As the real server: of a cut page the tail is that of what was read.
            tail=page[-1].seq if page else len(session.frames),
            more=len(asked) > len(page),
        )
        _send(viewer.connection, snapshot)
        sessions.subscriptions += 1
        sessions.changed.notify_all()


def _port(server: Server) -> int:
    return server.socket.getsockname()[1]


def _send(connection: ServerConnection, message: client.ToClient) -> None:
    connection.send(message.model_dump_json(by_alias=True))
