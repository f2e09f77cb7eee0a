"""The line to the server: performs what the conversation asks, on whichever socket is open.

One loop takes everything in turn, so nothing here is ever done by two at once: what sockets heard,
what was said inside, and what has become due. It outlives every socket.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from math import inf
from typing import Protocol

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from sandbox_bridge.wire.actions import (
    Action,
    Actions,
    CompareNow,
    Dropped,
    Fetched,
    Forget,
    HangUp,
    Keep,
    Leave,
    Obey,
    Send,
    Settled,
    Unfetchable,
)
from sandbox_bridge.wire.conversation import Conversation
from sandbox_bridge.wire.dialing import Dial
from sandbox_bridge.wire.encoding import Said
from sandbox_bridge.wire.outbox import Outbox
from sandbox_bridge.wire.reconnect import Backoff
from sandbox_bridge.wire.sockets import Heard, Lost, News, Opened, TurnedAway, stay_connected
from shared.protocol.bridge import Orders
from shared.protocol.events import BridgeEvent

logger = logging.getLogger(__name__)

SEND_WITHIN = timedelta(seconds=10)
"""A half-open socket takes words until its buffer is full, then none for a quarter of an hour."""


class PromptRefused(Exception):
    """The server will not say what the prompt is."""


class Listener(Protocol):
    def obey(self, orders: Orders) -> None: ...

    def settled(self, events: list[Said]) -> None: ...

    def dropped(self, events: list[Said]) -> None: ...

    def compare(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Times:
    clock: Callable[[], float]
    backoff: Backoff
    rollover: Callable[[], timedelta]


class Line:
    def __init__(
        self, conversation: Conversation, outbox: Outbox, dial: Dial, times: Times
    ) -> None:
        self._conversation = conversation
        self._outbox = outbox
        self._dial = dial
        self._times = times
        self._news: deque[News] = deque()
        self._wake = asyncio.Event()
        self._socket: ClientConnection | None = None
        self._older: set[ClientConnection] = set()
        self._farewells: set[asyncio.Task[None]] = set()
        self._prompt: asyncio.Future[Fetched] | None = None
        self._over: str | None = None

    def emit(self, event: BridgeEvent) -> None:
        self._conversation.say(event)
        self._wake.set()

    async def prompt(self, number: int) -> Fetched:
        """The whole prompt. One is fetched at a time. Raises `PromptRefused`."""
        self._prompt = asyncio.get_running_loop().create_future()
        self._conversation.fetch(number)
        self._wake.set()
        return await self._prompt

    async def hold(self, listener: Listener) -> str:
        """Talk until the attempt is over; says why it is."""
        times = self._times
        async with asyncio.TaskGroup() as tasks:
            connecting = tasks.create_task(
                stay_connected(
                    self._dial, self._tell, backoff=times.backoff, rollover=times.rollover
                )
            )
            try:
                return await self._converse(listener)
            finally:
                connecting.cancel()
                self._abort()

    def _tell(self, news: News) -> None:
        self._news.append(news)
        self._wake.set()

    async def _converse(self, listener: Listener) -> str:
        while True:
            self._wake.clear()
            while self._news and self._over is None:
                await self._perform(self._take(self._news.popleft()), listener)
            await self._perform(self._conversation.tick(self._times.clock()), listener)
            if self._over is not None:
                return self._over
            await self._rest()

    async def _rest(self) -> None:
        due = self._conversation.due
        timeout = None if due == inf else max(0.0, due - self._times.clock())
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self._wake.wait()

    def _take(self, news: News) -> Actions:
        now = self._times.clock()
        match news:
            case Opened(socket):
                self._older |= {self._socket} if self._socket else set()
                self._socket = socket
                return self._conversation.opened(now)
            case Heard(socket, text) if socket is self._socket:
                actions = self._conversation.received(text, now)
                if self._conversation.is_open:
                    self._settle_down()
                return actions
            case Heard():
                # Late words of a socket that was left: whatever they answer is asked anew.
                return ()
            case Lost(socket):
                self._lose(socket)
                return ()
            case TurnedAway(reason):
                return (Leave(reason),)

    def _settle_down(self) -> None:
        """The present socket is welcome: the one before it has done its duty."""
        self._times.backoff.reset()
        while self._older:
            # In a task of its own: a peer that is slow to say goodbye holds up nothing.
            farewell = asyncio.create_task(self._older.pop().close())
            self._farewells.add(farewell)
            farewell.add_done_callback(self._farewells.discard)

    def _lose(self, socket: ClientConnection) -> None:
        self._older.discard(socket)
        if socket is self._socket:
            self._socket = None
            self._conversation.closed()

    async def _perform(self, actions: Actions, listener: Listener) -> None:
        for action in actions:
            match action:
                case Send(text):
                    await self._send(text)
                case Keep() | Forget():
                    self._store(action)
                case HangUp(reason):
                    self._hang_up(reason)
                case Leave(reason):
                    self._over = reason
                case _:
                    self._report(action, listener)

    def _store(self, action: Keep | Forget) -> None:
        match action:
            case Keep(frame):
                self._outbox.keep(frame)
            case Forget():
                self._outbox.forget()

    def _report(self, action: Action, listener: Listener) -> None:
        match action:
            case Obey(orders):
                listener.obey(orders)
            case Settled(events):
                listener.settled(events)
            case Dropped(events):
                listener.dropped(events)
            case CompareNow():
                listener.compare()
            case Fetched() | Unfetchable():
                self._fetched(action)
            case _:
                raise AssertionError(action)

    def _fetched(self, answer: Fetched | Unfetchable) -> None:
        if self._prompt is None or self._prompt.done():
            return
        match answer:
            case Fetched():
                self._prompt.set_result(answer)
            case Unfetchable(reason=reason):
                self._prompt.set_exception(PromptRefused(reason))

    async def _send(self, text: str) -> None:
        if self._socket is None:
            return
        try:
            async with asyncio.timeout(SEND_WITHIN.total_seconds()):
                await self._socket.send(text)
        except ConnectionClosed:
            return  # its reader says so too; what had no answer is asked again on the next socket
        except TimeoutError:
            self._conversation.closed()
            self._hang_up("the socket takes no more")

    def _hang_up(self, reason: str) -> None:
        logger.warning("hung up", extra={"why": reason})
        self._abort()

    def _abort(self) -> None:
        if self._socket:
            self._socket.transport.abort()
