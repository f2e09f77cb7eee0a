"""The HTTP side of the scripted server, and all of it together as a context manager."""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from pydantic import BaseModel, ValidationError

from shared.protocol.access_tokens import AccessTokenView
from shared.protocol.inbox import RememberedRepository
from tests.fakes.api_server.routes import KEY, Asked, answer
from tests.fakes.api_server.sessions import Refusal, Sessions
from tests.fakes.api_server.sockets import Sockets


@dataclass(slots=True)
class ApiServer:
    tokens: dict[str, str] = field(default_factory=lambda: {"ada": "token-of-ada"})
    repositories: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    """By path: what the repository host answers."""
    remembered: list[RememberedRepository] = field(default_factory=list[RememberedRepository])
    access_tokens: dict[str, AccessTokenView] = field(default_factory=dict[str, AccessTokenView])
    unavailable: dict[str, int] = field(default_factory=dict[str, int])
    """By `POST /sessions`: the next so many are answered with 503."""
    lost_answers: dict[str, int] = field(default_factory=dict[str, int])
    """By `POST /sessions`: the next so many are carried out, and the connection is cut."""
    asked: list[Asked] = field(default_factory=list[Asked])
    sockets: Sockets = field(init=False)
    sessions: Sessions = field(init=False)
    http: str = ""

    def __post_init__(self) -> None:
        self.sockets = Sockets(lambda: self.sessions)
        self.sessions = Sessions(self.sockets.publish, self.sockets.close_all)

    @contextmanager
    def running(self) -> Generator["ApiServer"]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self._respond))
        self.http = f"http://127.0.0.1:{server.server_address[1]}/api"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        with self.sockets.running():
            thread.start()
            try:
                yield self
            finally:
                server.shutdown()
                server.server_close()
                thread.join(10)

    def write_state(self, state: Path, *, user: str = "ada") -> Path:
        """What the local host leaves for the command line."""
        endpoint = {
            "http": self.http,
            "user": user,
            "repositories": self.http,
            "repositoriesKey": KEY,
            "demo": self.sessions.demo,
        }
        (state / "users").mkdir(parents=True, mode=0o700)
        (state / "endpoint.json").write_text(json.dumps(endpoint))
        for name, token in self.tokens.items():
            path = state / "users" / f"{name}.token"
            path.write_text(f"{token}\n")
            path.chmod(0o600)
        return state

    def paths(self) -> list[str]:
        return [f"{asked.method} {asked.path}" for asked in self.asked]

    def _respond(self, asked: Asked) -> tuple[int, str] | None:
        """None: the answer is lost on its way."""
        self.asked.append(asked)
        route = f"{asked.method} {asked.path}"
        if _used(self.unavailable, route):
            return _refused(Refusal(503, "unavailable", "come back later"))
        try:
            status, body = answer(self, asked)
        except Refusal as refusal:
            return _refused(refusal)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(map(str, first["loc"]))
            return _refused(Refusal(422, "invalid", first["msg"], name))
        return None if _used(self.lost_answers, route) else (status, _json(body))


def _used(times: dict[str, int], route: str) -> bool:
    times[route] = times.get(route, 0) - 1
    return times[route] >= 0


def _refused(refusal: Refusal) -> tuple[int, str]:
    return refusal.status, _json(refusal.view)


def _json(body: BaseModel | dict[str, Any]) -> str:
    return body.model_dump_json(by_alias=True) if isinstance(body, BaseModel) else json.dumps(body)


def _handler(
    respond: Callable[[Asked], tuple[int, str] | None],
) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base's)
            pass

        def _serve(self) -> None:
            parts = urlsplit(self.path)
            text = self.rfile.read(int(self.headers.get("content-length", "0")))
            body = json.loads(text) if text else None
            bearer = self.headers.get("authorization")
            query = dict(parse_qsl(parts.query))
            path = parts.path.removeprefix("/api")
            answered = respond(Asked(self.command, path, query, body, bearer))
            if answered is None:
                self.close_connection = True
                return
            status, content = answered
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content.encode())))
            self.end_headers()
            self.wfile.write(content.encode())

        do_GET = do_POST = do_PATCH = do_DELETE = _serve  # noqa: N815 (http.server's names)

    return Handler
