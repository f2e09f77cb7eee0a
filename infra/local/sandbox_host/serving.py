"""A host from its state directory to its listener, and down again."""

import asyncio
import fcntl
import json
import os
import secrets
import signal
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from hypercorn.asyncio import serve
from hypercorn.config import Config
from hypercorn.typing import ASGIFramework
from starlette.middleware import Middleware

from infra.local.sandbox_host.app import application
from infra.local.sandbox_host.choice import choose
from infra.local.sandbox_host.fleet import Fleet
from infra.local.sandbox_host.journal import note
from infra.local.sandbox_host.machine import prepare
from infra.local.sandbox_host.marked import end_marked
from infra.local.sandbox_host.store import Store

_IDLE_SECONDS = 600
"""Clients keep connections for five minutes, and it must not be the server that closes first."""

_FAREWELL_SECONDS = 2.0


class CannotServe(Exception):
    """In a sentence for whoever started it."""


@dataclass(frozen=True, slots=True)
class Settings:
    port: int
    state: Path
    template: Path
    api_key: str
    limit: int
    isolation: str | None


@dataclass(frozen=True, slots=True)
class Parts:
    """What a test exchanges, so that it fails where the test wants: no request can do that."""

    middleware: Sequence[Middleware] = ()
    store: type[Store] = Store


AS_ALWAYS = Parts()


async def run(settings: Settings, parts: Parts = AS_ALWAYS) -> None:
    """Until SIGTERM or SIGINT. One line of JSON on standard output says where it listens."""
    state = _make(settings.state)
    lock = _lock(state)
    try:
        await _serve(settings, state, parts)
    finally:
        os.close(lock)


async def _serve(settings: Settings, state: Path, parts: Parts) -> None:
    mark = _mark(state)
    if ended := await asyncio.to_thread(end_marked, mark):
        note("leftovers_ended", processes=ended)
    store = parts.store(state)
    machine = await asyncio.to_thread(prepare, store, settings.template.resolve(), mark)
    choice = await choose(machine, settings.isolation)
    fleet = Fleet(machine, choice.isolation, limit=settings.limit)
    listener = socket.create_server(("127.0.0.1", settings.port))
    port: int = listener.getsockname()[1]
    print(json.dumps({"port": port, "isolation": choice.isolation}), flush=True)  # noqa: T201 - the one line
    note("listening", port=port, isolation=choice.isolation, user=choice.user)
    await serve(
        # The two libraries describe the same protocol with types that do not meet.
        cast("ASGIFramework", application(fleet, choice, settings.api_key, more=parts.middleware)),
        _config(listener),
        shutdown_trigger=_stopping(fleet),
    )


def _make(state: Path) -> Path:
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    if state.stat().st_uid != os.geteuid():
        raise CannotServe(f"{state} belongs to another user, and so do the sandboxes in it")
    state.chmod(0o700)
    return state.resolve()


def _lock(state: Path) -> int:
    lock = os.open(state / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise CannotServe(f"another sandbox host runs on {state}") from error
    return lock


def _mark(state: Path) -> str:
    path = state / "mark"
    if not path.exists():
        path.write_text(secrets.token_hex(8))
    return path.read_text()


def _config(listener: socket.socket) -> Config:
    config = Config()
    config.bind = [f"fd://{listener.detach()}"]
    config.keep_alive_timeout = _IDLE_SECONDS
    config.graceful_timeout = 1
    config.loglevel = "WARNING"
    return config


def _stopping(fleet: Fleet) -> Callable[[], Awaitable[None]]:
    asked = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, asked.set)

    async def stopping() -> None:
        await asked.wait()
        await fleet.close()
        note("closed")
        # hypercorn waits for every connection, even for one whose client never ends its request.
        asyncio.get_running_loop().call_later(_FAREWELL_SECONDS, os._exit, 0)

    return stopping
