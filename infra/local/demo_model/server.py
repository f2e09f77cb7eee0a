"""Serves the scripted model on a loopback port."""

import asyncio
import signal
import socket
from collections.abc import Awaitable, Callable

from hypercorn.asyncio import serve
from hypercorn.config import Config
from starlette.types import ASGIApp

LOOPBACK = "127.0.0.1"


def listen(port: int) -> socket.socket:
    """A bound loopback socket; port 0 takes a free one. Raises OSError when the port is taken."""
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind((LOOPBACK, port))
    return bound


def address(bound: socket.socket) -> str:
    return f"http://{LOOPBACK}:{bound.getsockname()[1]}"


async def run(app: ASGIApp, bound: socket.socket, until: Callable[[], Awaitable[object]]) -> None:
    """Serves until `until` returns. The socket is the server's from then on, which closes it."""
    config = Config()
    config.bind = [f"fd://{bound.detach()}"]
    # A hanging script must not keep the server from ending.
    config.graceful_timeout = 0.2
    config.loglevel = "CRITICAL"
    await serve(app, config, shutdown_trigger=until)  # pyright: ignore[reportArgumentType] - hypercorn has its own ASGI types


def run_until_told(app: ASGIApp, bound: socket.socket) -> None:
    """Serves until SIGINT or SIGTERM."""

    async def main() -> None:
        stopped = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        await run(app, bound, stopped.wait)

    asyncio.run(main())
