"""A code host that wants a password: real repositories behind `git http-backend` on loopback."""

import os
import subprocess
import threading
from base64 import b64decode
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from tests.sandbox_bridge.repositories import Remote, git

_HEADERS = ("Content-Type", "Content-Encoding", "Git-Protocol")
_FOR_CGI = {
    "Content-Type": ("CONTENT_TYPE",),
    "Content-Encoding": ("HTTP_CONTENT_ENCODING",),
    "Git-Protocol": ("HTTP_GIT_PROTOCOL", "GIT_PROTOCOL"),
}


@dataclass
class GuardedHost:
    """`passwords`: until when each is good, and for which repository."""

    root: Path
    now: Callable[[], datetime]
    url: str = ""
    passwords: dict[str, tuple[str, datetime]] = field(
        default_factory=dict[str, tuple[str, datetime]]
    )
    seen: list[str] = field(default_factory=list[str])
    """Every password that anybody ever sent here, in order and without repetition."""

    def remote(self, name: str, files: Mapping[str, str]) -> Remote:
        made = Remote(self.root / name, files)
        git(made.path, "config", "http.receivepack", "true")
        return made

    def url_of(self, name: str) -> str:
        return f"{self.url}/{name}/remote.git"

    @contextmanager
    def serving(self) -> Generator["GuardedHost"]:
        with ThreadingHTTPServer(("127.0.0.1", 0), _handler(self)) as server:
            self.url = f"http://127.0.0.1:{server.server_address[1]}"
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                yield self
            finally:
                server.shutdown()
                thread.join(10)

    def lets_in(self, path: str, authorization: str) -> bool:
        _, _, encoded = authorization.partition(" ")
        password = b64decode(encoded).decode().partition(":")[2]
        if password and password not in self.seen:
            self.seen.append(password)
        name, until = self.passwords.get(password, ("", self.now()))
        return path.startswith(f"/{name}/") and self.now() < until


def _handler(host: GuardedHost) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers["Content-Length"])))

        def _answer(self, body: bytes) -> None:
            asked = urlsplit(self.path)
            if not host.lets_in(asked.path, self.headers.get("Authorization", "")):
                self._send(401, {"WWW-Authenticate": 'Basic realm="guarded"'}, b"")
                return
            self._send(*_backend(host.root, self.command, asked.path, asked.query, body, self))

        def _send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    return Handler


def _backend(  # noqa: PLR0917  what CGI hands over
    root: Path, method: str, path: str, query: str, body: bytes, asked: BaseHTTPRequestHandler
) -> tuple[int, dict[str, str], bytes]:
    given = {
        variable: asked.headers.get(name, "") for name in _HEADERS for variable in _FOR_CGI[name]
    }
    ended = subprocess.run(
        ["git", "http-backend"],
        input=body,
        capture_output=True,
        check=True,
        env={
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "REQUEST_METHOD": method,
            "QUERY_STRING": query,
            "REMOTE_USER": "somebody",
            "REMOTE_ADDR": "127.0.0.1",
            **given,
        },
    )
    head, _, content = ended.stdout.partition(b"\r\n\r\n")
    pairs = (line.partition(": ") for line in head.decode().splitlines())
    headers = {name: value for name, _, value in pairs}
    return int(headers.pop("Status", "200").split()[0]), headers, content
