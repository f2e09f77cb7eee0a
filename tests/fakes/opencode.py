"""OpenCode's interface without OpenCode: streams that a test has written, and what it was asked."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

from sandbox_bridge.harness.opencode.api import Unreachable
from sandbox_bridge.harness.opencode.wire import Event

CONNECTED = Event(type="server.connected")
HEARTBEAT = Event(type="server.heartbeat")


class FakeOpenCode:
    """Each connection gets the next of `streams`, and ends where that ends.

    `stored` and `idle` answer what is asked beside the stream; `lost_prompts` of the prompts are
    accepted or not, and the answer never comes.
    """

    def __init__(self, streams: Sequence[Sequence[Event]], *, lost_prompts: int = 0) -> None:
        self.stored: list[dict[str, Any]] = []
        self.idle = False
        self.asked: list[str] = []
        self.prompts: list[dict[str, Any]] = []
        self._streams = list(streams)
        self._lost_prompts = lost_prompts

    @asynccontextmanager
    async def events(self) -> AsyncGenerator[AsyncIterator[Event]]:
        if not self._streams:
            raise Unreachable("no connection left")
        yield _told(self._streams.pop(0))

    async def prompt(self, session: str, body: dict[str, Any]) -> None:
        self.prompts.append({"session": session, **body})
        if len(self.prompts) <= self._lost_prompts:
            raise Unreachable("the answer was lost")

    async def messages(self, session: str, limit: int) -> list[dict[str, Any]]:
        self.asked.append(f"messages {session}")
        return self.stored[-limit:]

    async def is_idle(self, session: str) -> bool:
        return self.idle

    async def allow(self, permission: str) -> None:
        self.asked.append(f"allow {permission}")

    async def reject_question(self, question: str) -> None:
        self.asked.append(f"reject {question}")


class FakeServer:
    """A process that has ended, or never does."""

    def __init__(self, ending: str = "") -> None:
        self.ending = ending

    async def ended_within(self, time: timedelta) -> bool:
        return bool(self.ending)


async def _told(events: Sequence[Event]) -> AsyncIterator[Event]:
    for event in events:
        yield event
