"""The bridge's side of the wire, without a socket, a disk or a clock.

    closed ──opened──▶ greeting ──welcome──▶ open
      ▲                   │                    │
      └──── closed, silent or refused ─────────┘

From everywhere: refused as retired, or ordered to retire ──▶ left.

Words and moments go in, actions come out, to be performed in their order. One frame is in flight,
each question has one answer, and what has no answer yet is asked again on the next socket. It does
not know which socket is the present one; the line does.
"""

import logging
from collections.abc import Callable
from datetime import timedelta
from enum import Enum, auto
from math import inf
from typing import Final

from pydantic import ValidationError

from sandbox_bridge.version import VERSION
from sandbox_bridge.wire.actions import Actions, CompareNow, HangUp, Leave, Obey, Send
from sandbox_bridge.wire.fetching import Fetching
from sandbox_bridge.wire.frame import Frame
from sandbox_bridge.wire.pulse import Pulse
from sandbox_bridge.wire.question import ANSWER_WITHIN
from sandbox_bridge.wire.sending import Sending
from shared.protocol.bridge import (
    PROTOCOL,
    TO_BRIDGE,
    Ack,
    Compare,
    Hello,
    Orders,
    PromptPart,
    Refused,
    ToBridge,
    Welcome,
)
from shared.protocol.events import BridgeEvent

logger = logging.getLogger(__name__)

REPLACED: Final = "replaced"
"""The server listens to another socket of this bridge: this one is of no use."""


class _State(Enum):
    CLOSED = auto()
    GREETING = auto()
    OPEN = auto()
    LEFT = auto()


class Conversation:
    """`marker` tells the newest prompt whose turn has left its files here."""

    def __init__(
        self,
        *,
        heartbeat: timedelta,
        new_id: Callable[[], str],
        frame: Frame | None = None,
        marker: Callable[[], int] = lambda: 0,
    ) -> None:
        self._state = _State.CLOSED
        self._marker = marker
        self._pulse = Pulse(heartbeat)
        self._sending = Sending(new_id, frame)
        self._fetching = Fetching()
        self._welcome_due = inf

    def say(self, event: BridgeEvent) -> None:
        self._sending.say(event)

    def fetch(self, prompt: int) -> None:
        self._fetching.begin(prompt)

    @property
    def is_open(self) -> bool:
        return self._state is _State.OPEN

    def opened(self, now: float) -> Actions:
        """A new socket; whatever was said on an older one and not answered is said again."""
        if self._state is _State.LEFT:
            return ()
        self._state = _State.GREETING
        self._welcome_due = now + ANSWER_WITHIN.total_seconds()
        return (Send(self._hello()),)

    def _hello(self) -> str:
        hello = Hello(protocol=PROTOCOL, version=VERSION, marker=self._marker())
        return hello.model_dump_json(by_alias=True)

    def closed(self) -> None:
        if self._state is not _State.LEFT:
            self._state = _State.CLOSED

    def received(self, text: str, now: float) -> Actions:
        if self._state in {_State.CLOSED, _State.LEFT}:
            return ()
        try:
            message = TO_BRIDGE.validate_json(text)
        except ValidationError as error:
            # A server newer than this bridge says things that this bridge has no word for.
            logger.warning("message ignored", extra={"why": error.errors()[0]["type"]})
            return ()
        self._pulse.heard()
        return self._answer(message, now)

    def _answer(self, message: ToBridge, now: float) -> Actions:
        match message:
            case Welcome(cursor=cursor, orders=orders):
                return self._welcomed(cursor, orders, now)
            case Orders():
                return self._ordered(message)
            case Ack():
                return self._sending.acknowledged(message)
            case Refused():
                return self._refused(message, now)
            case PromptPart():
                return self._fetching.received(message)
            case Compare():
                return (CompareNow(),)

    def _welcomed(self, cursor: str, orders: Orders, now: float) -> Actions:
        self._state = _State.OPEN
        self._pulse.begin(now)
        self._sending.welcomed(cursor)
        self._fetching.welcomed()
        return self._ordered(orders)

    def _ordered(self, orders: Orders) -> Actions:
        if orders.do == "retire":
            return self._leave("ordered to retire")
        return (Obey(orders),)

    def _refused(self, refusal: Refused, now: float) -> Actions:
        logger.warning("refused", extra={"code": refusal.code, "final": refusal.final})
        if refusal.retired:
            return self._leave(refusal.message)
        if refusal.code == REPLACED or (self._state is _State.GREETING and not refusal.id):
            return self._hang_up(refusal.message)
        return self._sending.refused(refusal, now) or self._fetching.refused(refusal, now)

    def tick(self, now: float) -> Actions:
        if self._state is _State.GREETING and now >= self._welcome_due:
            return self._hang_up("no welcome")
        if self._state is not _State.OPEN:
            return ()
        beat = self._pulse.tick(now)
        if any(isinstance(action, HangUp) for action in beat):
            self.closed()
            return beat
        return (*beat, *self._sending.tick(now), *self._fetching.tick(now))

    @property
    def due(self) -> float:
        """When `tick` has something to do next, unless something happens before."""
        match self._state:
            case _State.GREETING:
                return self._welcome_due
            case _State.OPEN:
                return min(self._pulse.due, self._sending.due, self._fetching.due)
            case _:
                return inf

    def _hang_up(self, reason: str) -> Actions:
        self.closed()
        return (HangUp(reason),)

    def _leave(self, reason: str) -> Actions:
        self._state = _State.LEFT
        return (Leave(reason),)
