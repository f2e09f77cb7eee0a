"""The client socket, kept open for as long as somebody reads: `follow`'s rules with real I/O.

Each connection needs a ticket of its own. One that fails is replaced after a jittered pause, for
ever; one that is old is replaced while it still works. What is refused for good raises `Refused`.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta
from random import Random

from pydantic import BaseModel
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidProxy, InvalidURI

from shared.client.api import Api, Notice
from shared.client.deployment import is_loopback
from shared.client.errors import Refused, Unreachable
from shared.client.follow import Follow, Moment, Pace, Parting
from shared.client.retries import full_jitter
from shared.client.wire import Garbled, read_message
from shared.protocol.api import EntryView, SocketTicket
from shared.protocol.base import MAX_MESSAGE_BYTES

OPEN_TIMEOUT = timedelta(seconds=10)
CLOSE_TIMEOUT = timedelta(seconds=1)

ROLL_OVER_SPREAD = 0.1
"""Up to this part of its lifetime a connection is given up earlier, at random."""


@dataclass(slots=True)
class Live:
    """One session's timeline, from a cursor on. `rules` keeps the place, also after `entries`."""

    api: Api
    session_id: str
    rules: Follow
    notice: Notice
    random: Random
    _failures: int = 0
    _told: bool = False

    async def entries(self) -> AsyncGenerator[EntryView]:
        """Every slot behind the cursor once and in order, without end."""
        old: ClientConnection | None = None
        try:
            while True:
                socket = await self._open()
                if old is not None:
                    await old.close()
                old = socket
                async with aclosing(self._serve(socket)) as served:
                    async for entry in served:
                        yield entry
        finally:
            if old is not None:
                await old.close()

    async def _open(self) -> ClientConnection:
        while True:
            if self._failures:
                pause = full_jitter(self._failures - 1, self.random.random())
                await asyncio.sleep(pause.total_seconds())
            try:
                return await _dial(await self.api.socket_ticket(self.session_id))
            except (Unreachable, OSError, TimeoutError, InvalidHandshake):
                self._lost()

    def _lost(self) -> None:
        self._failures += 1
        if self._failures > 1 and not self._told:
            self.notice("the connection is lost; reconnecting (the session goes on)")
            self._told = True

    def _found(self) -> None:
        if self._told:
            self.notice("connected again")
            self._told = False

    async def _serve(self, socket: ClientConnection) -> AsyncGenerator[EntryView]:
        """What one connection brings, until it is lost or to be replaced."""
        try:
            await _say(socket, (self.rules.opened(_now(), self._lifetime()),))
            while (parting := self.rules.parting(_now())) is None:
                for entry in await self._hear(socket):
                    yield entry
                await _say(socket, self.rules.due(_now()))
        except ConnectionClosed:
            parting = None
        if self.rules.proven(_now()):
            self._failures = 0
        if parting is not Parting.ROLL_OVER:
            self._lost()

    async def _hear(self, socket: ClientConnection) -> Sequence[EntryView]:
        try:
            async with asyncio.timeout_at(self.rules.next_look().total_seconds()):
                message = read_message(await socket.recv())
        except TimeoutError:
            return ()
        except Garbled:
            return ()  # of a newer server, perhaps; if it was a frame, it is a hole and fetched
        entries = self.rules.received(message, _now())
        self._found()
        return entries

    def _lifetime(self) -> timedelta:
        return self.rules.pace.lifetime * (1 - ROLL_OVER_SPREAD * self.random.random())


def follow(
    api: Api, session_id: str, *, after: int, notice: Notice, pace: Pace | None = None
) -> Live:
    rules = Follow(after, pace or Pace())
    return Live(api, session_id, rules, notice, Random())  # noqa: S311 (jitter, no secret)


async def _dial(ticket: SocketTicket) -> ClientConnection:
    """`url` has the ticket in it."""
    try:
        return await connect(
            ticket.url,
            compression=None,
            max_size=MAX_MESSAGE_BYTES,
            open_timeout=OPEN_TIMEOUT.total_seconds(),
            close_timeout=CLOSE_TIMEOUT.total_seconds(),
            # Ours are messages: API Gateway's idle clock does not count protocol pings.
            ping_interval=None,
            proxy=None if is_loopback(ticket.url) else True,
        )
    except (InvalidProxy, InvalidURI) as error:
        raise Refused("what the server names is no WebSocket's URL", code="bad_ticket") from error


async def _say(socket: ClientConnection, messages: Sequence[BaseModel]) -> None:
    for message in messages:
        await socket.send(message.model_dump_json(by_alias=True))


def _now() -> Moment:
    return timedelta(seconds=asyncio.get_running_loop().time())
