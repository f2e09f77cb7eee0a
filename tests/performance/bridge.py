"""A bridge without an agent: it keeps the wire's rules and says what a test tells it to say."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import uuid4

from websockets.asyncio.client import ClientConnection

from sandbox_bridge.wire.dialing import dial
from shared.protocol.bridge import (
    MAX_FRAME_BYTES,
    TO_BRIDGE,
    Ack,
    FrameMessage,
    FromBridge,
    GetPrompt,
    Heartbeat,
    Hello,
    Identity,
    Orders,
    PromptPart,
    ToBridge,
    Welcome,
)

ANSWER_WITHIN = timedelta(seconds=30)

type Event = dict[str, Any]


@dataclass(slots=True)
class Bridge:
    """One question at a time; orders may come in between."""

    socket: ClientConnection
    cursor: str = ""
    _answers: asyncio.Queue[ToBridge] = field(default_factory=asyncio.Queue[ToBridge])
    _orders: asyncio.Queue[Orders] = field(default_factory=asyncio.Queue[Orders])

    async def say(self, *events: Event) -> None:
        """Returns when the server has it."""
        message = FrameMessage(id=uuid4().hex, after=self.cursor, events=list(events))
        answer = await self._ask(message)
        assert isinstance(answer, Ack), answer
        assert answer.id == message.id
        self.cursor = answer.cursor

    async def told_to_run(self, prompt: int) -> None:
        """Orders that were true before are still on their way at times."""
        async with asyncio.timeout(ANSWER_WITHIN.total_seconds()):
            while (await self._orders.get()) != Orders(do="run", prompt=prompt):
                continue

    async def whole_text(self, prompt: int) -> str:
        text = ""
        while True:
            part = await self._ask(GetPrompt(prompt=prompt, offset=len(text)))
            assert isinstance(part, PromptPart), part
            text += part.text
            if len(text) >= part.total:
                return text

    async def _greet(self) -> None:
        welcome = await self._ask(Hello())
        assert isinstance(welcome, Welcome), welcome
        self.cursor = welcome.cursor
        self._orders.put_nowait(welcome.orders)

    async def _ask(self, message: FromBridge) -> ToBridge:
        await self._send(message)
        async with asyncio.timeout(ANSWER_WITHIN.total_seconds()):
            return await self._answers.get()

    async def _send(self, message: FromBridge) -> None:
        text = message.model_dump_json(by_alias=True)
        assert len(text.encode()) <= MAX_FRAME_BYTES
        await self.socket.send(text)

    async def _listen(self) -> None:
        async for text in self.socket:
            message = TO_BRIDGE.validate_json(text)
            if isinstance(message, Orders):
                self._orders.put_nowait(message)
            else:
                self._answers.put_nowait(message)

    async def _beat(self, every: float) -> None:
        """Without it a slow machine's run would be taken for a dead sandbox."""
        while True:
            await asyncio.sleep(every)
            await self._send(Heartbeat())


@asynccontextmanager
async def connected(identity: Identity) -> AsyncGenerator[Bridge]:
    """Booted and ready for prompts."""
    bridge = Bridge(await dial(identity)())
    tasks = [
        asyncio.create_task(bridge._listen()),
        asyncio.create_task(bridge._beat(identity.heartbeat_seconds / 2)),
    ]
    try:
        await bridge._greet()
        await bridge.say({"type": "boot_progress", "phase": "starting", "status": "started"})
        await bridge.say({"type": "ready"})
        yield bridge
    finally:
        await bridge.socket.close()
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


def started(prompt: int) -> Event:
    return {"type": "prompt_started", "prompt": prompt}


def finished(prompt: int) -> Event:
    return {"type": "execution_complete", "prompt": prompt, "status": "completed"}


def delta(words: str, *, part: str, prompt: int = 1) -> Event:
    return {"type": "text_delta", "prompt": prompt, "part": part, "delta": words}


def parts(events: Sequence[Event]) -> list[str]:
    """Which deltas these are, in their order."""
    return [str(event["part"]) for event in events if event["type"] == "text_delta"]
