"""The bridge's end of one WebSocket, as `websockets` offers it."""

from collections import deque
from collections.abc import AsyncIterator
from typing import Protocol

from websockets.exceptions import ConnectionClosedError

from tests.simulation.eventloop import VirtualLoop
from tests.simulation.gateway import Connection, Gateway


class Owner(Protocol):
    loop: VirtualLoop

    def go(self) -> None: ...


class Socket:
    """The bridge's end of one WebSocket, as `websockets` offers it."""

    connection: Connection

    def __init__(self, process: Owner, gateway: Gateway) -> None:
        self._process = process
        self._gateway = gateway
        self._inbox: deque[str] = deque()
        self._news = process.loop.create_future()
        self.closed = False
        self.transport = self

    # What the network does.

    def hear(self, text: str) -> None:
        if not self.closed and not self._process.loop.dead:
            self._inbox.append(text)
            self._ring()
            self._process.go()

    def lost(self) -> None:
        if not self.closed:
            self.closed = True
            self._ring()
            self._process.go()

    def _ring(self) -> None:
        if not self._news.done():
            self._news.set_result(None)

    # What the bridge does.

    async def send(self, text: str) -> None:
        if self.closed:
            raise ConnectionClosedError(None, None)
        self._gateway.say(self.connection, text)

    def abort(self) -> None:
        if not self.closed and not self._process.loop.dead:
            self.closed = True
            self._ring()
            self._gateway.close(self.connection)

    async def close(self) -> None:
        self.abort()

    async def __aiter__(self) -> AsyncIterator[str]:
        while True:
            while self._inbox:
                yield self._inbox.popleft()
            if self.closed:
                raise ConnectionClosedError(None, None)
            self._news = self._process.loop.create_future()
            await self._news
