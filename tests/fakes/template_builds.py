"""E2B's routes for building templates, on loopback: it checks their order and keeps what was sent.

What the provider would run is not run: a build is `ready` after its log, or fails where told to.
"""

import gzip
import io
import json
import re
import tarfile
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

API_KEY = "key-of-the-tests"
BUILD = "0b5f0a4e-8f3e-4f0e-9d65-3f1c5f0f2a11"

type Answer = tuple[int, Any]


@dataclass(slots=True)
class TemplateBuilds:
    log: tuple[str, ...] = ("step 1", "step 2", "done")
    failure: str = ""
    """What the build fails with, if it does."""
    cached: frozenset[str] = frozenset()
    """Hashes of files that are there from an earlier build."""
    asked: dict[str, Any] = field(default_factory=dict[str, Any])
    started: dict[str, Any] = field(default_factory=dict[str, Any])
    uploads: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """The names in the archive of each hash."""
    tagged: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    breaches: list[str] = field(default_factory=list[str])
    url: str = ""
    _told: int = 0

    @contextmanager
    def running(self) -> Generator["TemplateBuilds"]:
        with ThreadingHTTPServer(("127.0.0.1", 0), _handler(self)) as server:
            self.url = f"http://127.0.0.1:{server.server_address[1]}"
            thread = threading.Thread(target=server.serve_forever, args=(0.02,))
            thread.start()
            try:
                yield self
            finally:
                server.shutdown()
                thread.join(10)

    def answer(self, method: str, target: str, body: bytes) -> Answer:
        parts = urlsplit(target)
        match method, parts.path.strip("/").split("/"):
            case "POST", ["v3", "templates"]:
                return self._request(json.loads(body))
            case "GET", ["templates", "t1", "files", name]:
                present = name in self.cached
                return 201, {"present": present, "url": f"{self.url}/upload/{name}"}
            case "PUT", ["upload", name]:
                self.uploads[name] = _names(body)
                return 200, {}
            case "POST", ["v2", "templates", "t1", "builds", build] if build == BUILD:
                return self._start(json.loads(body))
            case "GET", ["templates", "t1", "builds", build, "status"] if build == BUILD:
                (offset,) = parse_qs(parts.query).get("logsOffset", ["0"])
                return 200, self._status(int(offset))
            case "POST", ["templates", "tags"]:
                asked = json.loads(body)
                self.tagged[asked["target"]] = tuple(asked["tags"])
                return 201, {"tags": asked["tags"], "buildID": BUILD}
            case _:
                self.breaches.append(f"no route: {method} {target}")
                return 404, {"code": 404, "message": "not found"}

    def _request(self, asked: dict[str, Any]) -> Answer:
        self.asked = asked
        name, _, tag = asked["name"].partition(":")
        if not re.fullmatch(r"[a-z0-9_-]+", name):
            return 400, {"code": 400, "message": f"invalid name {name!r}"}
        tags = [tag] if tag else ["default"]
        names = {"names": [name], "aliases": [name], "tags": tags, "public": False}
        return 202, {"templateID": "t1", "buildID": BUILD, **names}

    def _start(self, asked: dict[str, Any]) -> Answer:
        copied = {step["filesHash"] for step in asked["steps"] if step["type"] == "COPY"}
        lacking = copied - self.uploads.keys() - self.cached
        if lacking:
            self.breaches.append(f"built without {sorted(lacking)}")
        self.started = asked
        return 202, None

    def _status(self, offset: int) -> dict[str, Any]:
        """One line at a time; the last ones come together with the end."""
        self._told += 1
        ended = self._told >= len(self.log) - 1
        lines = self.log[offset:] if ended else self.log[offset : offset + 1]
        said = [{"timestamp": _NOON, "level": "info", "message": line} for line in lines]
        status = ("error" if self.failure else "ready") if ended else "building"
        reason = {"reason": {"message": self.failure}} if self.failure and ended else {}
        ids = {"templateID": "t1", "buildID": BUILD}
        return {**ids, "logs": [], "logEntries": said, "status": status, **reason}


_NOON = "2026-11-30T12:00:00Z"


def _names(archive: bytes) -> frozenset[str]:
    raw = gzip.decompress(archive) if archive[:2] == b"\x1f\x8b" else archive
    with tarfile.open(fileobj=io.BytesIO(raw)) as files:
        return frozenset(member.name for member in files if member.isfile())


def _handler(builds: TemplateBuilds) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base's)
            pass

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", "0")))
            upload = self.path.startswith("/upload/")
            if not upload and self.headers.get("x-api-key") != API_KEY:
                status, answer = 401, {"code": 401, "message": "no such key"}
            else:
                status, answer = builds.answer(self.command, self.path, body)
            content = b"" if answer is None else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = _serve  # noqa: N815 (http.server's names)

    return Handler
