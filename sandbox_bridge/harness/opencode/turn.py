"""One turn, followed on OpenCode's event stream to its end, across lost connections."""

import time
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from typing import Any, Final, Protocol

from sandbox_bridge.harness.opencode.api import Unreachable
from sandbox_bridge.harness.opencode.limits import Limits
from sandbox_bridge.harness.opencode.translation import Translation
from sandbox_bridge.harness.opencode.wire import Event
from sandbox_bridge.harness.seam import Emit, Turn, TurnFile

_PAUSE: Final = timedelta(milliseconds=200)
_ALL: Final = 500


class GaveUp(Exception):
    """The turn is to be aborted; carries the reason."""


class ServerGone(Exception):
    """The server has ended, or can't be reached any more; carries the reason."""


class Told(Protocol):
    """What a turn asks of OpenCode's interface; see there."""

    def events(self) -> AbstractAsyncContextManager[AsyncIterator[Event]]: ...

    async def prompt(self, session: str, body: dict[str, Any]) -> None: ...

    async def messages(self, session: str, limit: int) -> list[dict[str, Any]]: ...

    async def is_idle(self, session: str) -> bool: ...

    async def allow(self, permission: str) -> None: ...

    async def reject_question(self, question: str) -> None: ...


class Watched(Protocol):
    """What a turn asks of the server's process."""

    @property
    def ending(self) -> str: ...

    async def ended_within(self, time: timedelta) -> bool: ...


class Following:
    """Set `stopping` from outside, and nothing is asked of the model any more."""

    def __init__(
        self, turn: Turn, translation: Translation, emit: Emit, *, api: Told, limits: Limits
    ) -> None:
        self.stopping = False
        self._turn = turn
        self._translation = translation
        self._emit = emit
        self._api = api
        self._limits = limits
        self._asked = False
        self._idle_heartbeats = 0
        self._began = time.monotonic()
        self._refused_since: float | None = None

    async def to_the_end(self, server: Watched) -> None:
        """Raises GaveUp, ServerGone, or HarnessFailed when OpenCode refuses the prompt itself."""
        lost_at: float | None = None
        while not self._translation.is_over:
            try:
                async with self._api.events() as events:
                    lost_at = None
                    await self._follow(events)
            except Unreachable:
                lost_at = lost_at or time.monotonic()
                await self._wait_for(server, lost_at)

    async def catch_up(self, limit: int = _ALL) -> None:
        """Takes what the server has stored as if it were said now."""
        session = self._translation.session
        await self._retell(session, limit)
        for child in tuple(self._translation.children):
            await self._retell(child, limit)
        if await self._api.is_idle(session):
            self._take(Event(type="session.idle", properties={"sessionID": session}))

    async def _follow(self, events: AsyncIterator[Event]) -> None:
        async for event in events:
            await self._handle(event)
            if self._translation.is_over:
                return
            self._lose_patience()
        raise Unreachable("the event stream ended")

    async def _handle(self, event: Event) -> None:
        self._take(event)
        match event.type:
            case "server.connected":
                await self._ask()
            case "server.heartbeat":
                await self._look_for_a_lost_end()
            case "permission.asked":
                # A repository's own configuration may ask where ours allows; nobody is there.
                await self._api.allow(event.properties["id"])
            case "question.asked":
                await self._api.reject_question(event.properties["id"])
            case _:
                return

    async def _ask(self) -> None:
        """Once for a turn, however often the connection is lost, even while the prompt is sent."""
        if self._asked:
            await self.catch_up()
        if self._translation.has_begun or self.stopping:
            return
        self._asked = True
        await self._api.prompt(self._translation.session, self._prompt())

    async def _look_for_a_lost_end(self) -> None:
        """The idle of this turn may have been said while nobody was connected."""
        if not await self._api.is_idle(self._translation.session):
            self._idle_heartbeats = 0
            return
        self._idle_heartbeats += 1
        if self._idle_heartbeats > 1:
            await self.catch_up()
            if not self._translation.is_over:
                raise GaveUp("opencode came to rest without an answer")

    def _lose_patience(self) -> None:
        now, limits, retry = time.monotonic(), self._limits, self._translation.retry
        if limits.turn and now - self._began > limits.turn.total_seconds():
            minutes = limits.turn.total_seconds() / 60
            raise GaveUp(f"the turn took longer than {minutes:.0f} minutes")
        if retry is None:
            self._refused_since = None
            return
        self._refused_since = self._refused_since or now
        waited = now - self._refused_since
        if retry.attempt >= limits.attempts or waited >= limits.refusing.total_seconds():
            raise GaveUp(f"the model refused {retry.attempt} times: {retry.message}")

    async def _wait_for(self, server: Watched, lost_at: float) -> None:
        if await server.ended_within(_PAUSE):
            raise ServerGone(server.ending)
        if time.monotonic() - lost_at > self._limits.reconnect.total_seconds():
            raise ServerGone("opencode does not answer any more")

    async def _retell(self, session: str, limit: int) -> None:
        for message in await self._api.messages(session, limit):
            self._take(Event(type="message.updated", properties={"info": message["info"]}))
            for part in message["parts"]:
                self._take(Event(type="message.part.updated", properties={"part": part}))

    def _take(self, event: Event) -> None:
        for said in self._translation.take(event):
            self._emit(said)

    def _prompt(self) -> dict[str, Any]:
        provider, _, model = self._turn.model.partition("/")
        return {
            "messageID": self._translation.message,
            # Each time, because OpenCode keeps an unknown model for the turns that follow.
            "model": {"providerID": provider, "modelID": model},
            **({"variant": self._turn.effort} if self._turn.effort else {}),
            "parts": [*_text(self._turn), *map(_file, self._turn.files)],
        }


def _text(turn: Turn) -> list[dict[str, str]]:
    """An image may stand for itself, and models refuse a text of nothing."""
    if turn.files and not turn.text.strip():
        return []
    return [{"type": "text", "text": turn.text}]


def _file(file: TurnFile) -> dict[str, str]:
    content = b64encode(file.content).decode()
    url = f"data:{file.type};base64,{content}"
    return {"type": "file", "mime": file.type, "filename": file.name, "url": url}
