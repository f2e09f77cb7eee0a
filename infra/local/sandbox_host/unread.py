"""Requests whose body nobody read: read to their end, so that the answer can be heard.

A client sends all of its body before it listens, and hypercorn keeps a connection for ever when an
application answers without having read: its queue is full, and it waits to say goodbye in it.
"""

import asyncio
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_MOST_BYTES = 1 << 30
_MOST_SECONDS = 20.0


class ReadToTheEnd:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = _Body(receive)

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                await body.discard()
            # What is still unread goes on arriving, and hypercorn's goodbye has to get past it.
            meanwhile = asyncio.create_task(body.discard())
            try:
                await send(message)
            finally:
                meanwhile.cancel()

        await self._app(scope, body.receive, answer)


class _Body:
    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.complete = False

    async def receive(self) -> Message:
        message = await self._receive()
        if not message.get("more_body", False):
            self.complete = True  # the last of it, or the client has gone
        return message

    async def discard(self) -> None:
        """Within reason: what is longer is cut off by closing the connection."""
        size = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(_MOST_SECONDS):
                while not self.complete and size < _MOST_BYTES:
                    size += len((await self.receive()).get("body", b""))
