"""Heartbeats: proof of life for the server, and the answer for us: a silent socket is a dead one.

They also keep API Gateway from closing an idle socket after ten minutes.
"""

from datetime import timedelta
from math import inf

from sandbox_bridge.wire.actions import Actions, HangUp, Send
from sandbox_bridge.wire.question import ANSWER_WITHIN
from shared.protocol.bridge import Heartbeat

HEARTBEAT = Heartbeat().model_dump_json(by_alias=True)


class Pulse:
    def __init__(self, every: timedelta) -> None:
        self._every = every.total_seconds()
        self._next = inf
        self._give_up = inf

    def begin(self, now: float) -> None:
        self._next = now + self._every
        self._give_up = inf

    def heard(self) -> None:
        self._give_up = inf

    def tick(self, now: float) -> Actions:
        if now >= self._give_up:
            return (HangUp("the server is silent"),)
        if now < self._next:
            return ()
        self._next = now + self._every
        self._give_up = min(self._give_up, now + ANSWER_WITHIN.total_seconds())
        return (Send(HEARTBEAT),)

    @property
    def due(self) -> float:
        return min(self._next, self._give_up)
