"""A sandbox host that fails where a test wants: `python -m`, with the arguments of the real one.

What is to happen is in files beside its state directory, which `FailingHost` writes:

    faults/<number>.json   met by the next request that it fits, one each and in order
    crash                  a number: the host kills itself before so many more changes on disk
"""

import asyncio
import json
import os
import re
import secrets
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from infra.local.sandbox_host.__main__ import main
from infra.local.sandbox_host.records import Record
from infra.local.sandbox_host.serving import Parts
from infra.local.sandbox_host.store import Store


@dataclass(frozen=True, kw_only=True)
class Fault:
    method: str
    path: str
    """A pattern for all of it."""
    what: Literal["answer", "lose", "late", "die", "one"]
    """Answer at once and do nothing; do it and drop the answer; do it when the client may long have
    given up; die in the middle of it; give one row of a list, and the rest on another page."""
    status: int = 503
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    steps: int = 0
    """Of the event loop, before dying."""

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"


class _Faulty:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        fault = _next(scope) if scope["type"] == "http" else None
        match fault and fault.what:
            case None:
                await self._app(scope, receive, send)
            case "answer":
                assert fault
                body = {"code": fault.status, "message": "as the test wants it"}
                await JSONResponse(body, fault.status, fault.headers)(scope, receive, send)
            case "lose":
                await self._app(scope, receive, _nobody)
                await _hang_up(send)
            case "late":
                await _told_to_go_on()
                await self._app(scope, receive, send)
            case "one":
                query = scope["query_string"] + b"&limit=1"
                await self._app({**scope, "query_string": query}, receive, send)
            case "die":
                assert fault
                doing = asyncio.ensure_future(self._app(scope, receive, send))
                for _ in range(fault.steps):
                    if not doing.done():
                        await asyncio.sleep(0)
                _die()


class _Crashing(Store):
    """Each change of what is on disk may be the one before which the host dies."""

    def save(self, record: Record) -> None:
        if _crash_is_due():
            half_written = self._path(record).with_suffix(f".{secrets.token_hex(4)}")
            half_written.write_text('{"id": "')
            _die()
        super().save(record)

    def remove_snapshot(self, snapshot: Any) -> None:
        _may_crash()
        super().remove_snapshot(snapshot)

    def discard(self, path: Path) -> None:
        _may_crash()
        super().discard(path)

    def layer(self, layer: str) -> Path:
        if (self.root / "layers" / f".{layer}").exists():
            _may_crash()  # between copying and being there
        return super().layer(layer)


def _next(scope: Scope) -> Fault | None:
    for path in sorted(_place().glob("faults/*.json")):
        fault = Fault(**json.loads(path.read_text()))
        if fault.method == scope["method"] and re.fullmatch(fault.path, scope["path"]):
            path.unlink()
            return fault
    return None


async def _nobody(_: Message) -> None:
    pass


async def _hang_up(send: Send) -> None:
    """An answer that promises more than comes: the client sees a broken connection."""
    headers = [(b"content-length", b"100"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"{", "more_body": True})


async def _told_to_go_on() -> None:
    go = _place() / "faults" / "go"
    while not go.exists():  # noqa: ASYNC110 - another process says so
        await asyncio.sleep(0.01)
    with suppress(FileNotFoundError):
        go.unlink()


def _may_crash() -> None:
    if _crash_is_due():
        _die()


def _crash_is_due() -> bool:
    path = _place() / "crash"
    if not path.exists():
        return False
    left = int(path.read_text())
    if left == 0:
        path.unlink()
        return True
    path.write_text(str(left - 1))
    return False


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _place() -> Path:
    return Path(sys.argv[sys.argv.index("--state") + 1]).parent


if __name__ == "__main__":
    raise SystemExit(main(Parts(middleware=[Middleware(_Faulty)], store=_Crashing)))
