"""The product's own client beside a bridge: what it is shown, and when."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta

from shared.client.api import Api
from shared.client.live import follow
from shared.protocol.api import EntryView
from tests.performance.bridge import parts

SEEN_WITHIN = timedelta(seconds=30)


@dataclass(slots=True)
class Watching:
    entries: list[EntryView] = field(default_factory=list[EntryView])
    seen: dict[str, float] = field(default_factory=dict[str, float])
    """When each delta was delivered, holes filled and in order."""
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def until_seen(self, part: str) -> None:
        await self._until(lambda: part in self.seen)

    async def until_joined(self) -> None:
        await self._until(lambda: bool(self.entries))

    async def _until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(SEEN_WITHIN.total_seconds()), self._changed:
            await self._changed.wait_for(condition)

    async def _watch(self, api: Api, session: str) -> None:
        live = follow(api, session, after=0, notice=lambda _: None)
        async with aclosing(live.entries()) as entries:
            async for entry in entries:
                now = time.monotonic()
                async with self._changed:
                    self.entries.append(entry)
                    for part in parts(entry.events):
                        self.seen.setdefault(part, now)
                    self._changed.notify_all()


@asynccontextmanager
async def watching(api: Api, session: str) -> AsyncGenerator[Watching]:
    """Has joined when the block begins: a session has a frame from its first prompt on."""
    watch = Watching()
    task = asyncio.create_task(watch._watch(api, session))
    try:
        await watch.until_joined()
        yield watch
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def timeline(api: Api, session: str) -> list[EntryView]:
    """The whole of what is stored."""
    entries: list[EntryView] = []
    while page := (await api.timeline(session, after=len(entries), limit=100)).entries:
        entries += page
    return entries


def deltas(entries: list[EntryView]) -> list[str]:
    return [part for entry in entries for part in parts(entry.events)]
