"""Keeps a socket to the server open: again after each loss, and a new one before the old must go.

It tells what becomes of sockets and what they hear. It ends when the server turns it away for good.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from sandbox_bridge.wire.dialing import Dial, Dismissed, Unreachable
from sandbox_bridge.wire.reconnect import Backoff

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Opened:
    socket: ClientConnection


@dataclass(frozen=True, slots=True)
class Heard:
    socket: ClientConnection
    text: str


@dataclass(frozen=True, slots=True)
class Lost:
    socket: ClientConnection


@dataclass(frozen=True, slots=True)
class TurnedAway:
    reason: str


type News = Opened | Heard | Lost | TurnedAway


async def stay_connected(
    dial: Dial,
    tell: Callable[[News], None],
    *,
    backoff: Backoff,
    rollover: Callable[[], timedelta],
) -> None:
    """`backoff` is reset by whoever finds that a socket is of use."""
    async with asyncio.TaskGroup() as readers:
        while socket := await _next_socket(dial, tell, backoff):
            tell(Opened(socket))
            reader = readers.create_task(_read(socket, tell))
            await asyncio.wait({reader}, timeout=rollover().total_seconds())
            if reader.done():
                # A server that takes a socket and drops it is not asked again at once.
                await asyncio.sleep(backoff.delay().total_seconds())


async def _next_socket(
    dial: Dial, tell: Callable[[News], None], backoff: Backoff
) -> ClientConnection | None:
    while True:
        try:
            return await dial()
        except Dismissed as verdict:
            tell(TurnedAway(str(verdict)))
            return None
        except Unreachable as trouble:
            logger.info("no connection", extra={"why": str(trouble)})
            await asyncio.sleep(backoff.delay().total_seconds())


async def _read(socket: ClientConnection, tell: Callable[[News], None]) -> None:
    with suppress(ConnectionClosed):
        async for text in socket:
            tell(Heard(socket, text if isinstance(text, str) else ""))
    tell(Lost(socket))
