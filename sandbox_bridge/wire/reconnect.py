"""When to open the next socket: after a loss, for ever; before API Gateway ends it at two hours."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

type Uniform = Callable[[float, float], float]

FIRST_DELAY = timedelta(milliseconds=500)
LONGEST_DELAY = timedelta(seconds=30)
ROLLOVER_EARLIEST = timedelta(minutes=95)
ROLLOVER_LATEST = timedelta(minutes=110)

DISMISSED: Final = frozenset({401, 403, 410})
"""Answers to a handshake that mean: this attempt's token is dead, do not come again."""


class Backoff:
    """Full jitter: after an outage the bridges of all sandboxes do not come back in step."""

    def __init__(self, uniform: Uniform) -> None:
        self._uniform = uniform
        self._ceiling = FIRST_DELAY

    def delay(self) -> timedelta:
        ceiling = self._ceiling
        self._ceiling = min(LONGEST_DELAY, ceiling * 2)
        return timedelta(seconds=self._uniform(0, ceiling.total_seconds()))

    def reset(self) -> None:
        self._ceiling = FIRST_DELAY


def rollover(uniform: Uniform) -> timedelta:
    return timedelta(
        seconds=uniform(ROLLOVER_EARLIEST.total_seconds(), ROLLOVER_LATEST.total_seconds())
    )
