"""How soon a frame of gathered words may follow: five a second at most, the first two at once.

A stream of words reads best in even steps. But what follows a pause is a beginning: the first word
of an answer does not wait because `prompt_started` has just been sent.
"""

from collections import deque
from datetime import timedelta
from math import inf

MOST_A_SECOND = 5
SECOND = timedelta(seconds=1)
STEP = SECOND / MOST_A_SECOND


class Pace:
    def __init__(self) -> None:
        self._sent: deque[float] = deque(maxlen=MOST_A_SECOND)
        self.not_before = -inf

    def sent(self, now: float) -> None:
        second = SECOND.total_seconds()
        after_a_pause = not self._sent or self._sent[-1] <= now - second
        self._sent.append(now)
        fills_the_second = len(self._sent) == MOST_A_SECOND
        self.not_before = max(
            now if after_a_pause else now + STEP.total_seconds(),
            self._sent[0] + second if fills_the_second else -inf,
        )
