"""What everything in a simulated world shares: time, chance, faults, and the story so far."""

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count
from random import Random

from tests import build
from tests.simulation.agenda import Agenda
from tests.simulation.chaos import Chaos


class Nature:
    def __init__(self, seed: int, *, tell: Callable[[str], None] | None = None) -> None:
        self.rng = Random(seed)
        self.agenda = Agenda()
        self.chaos = Chaos(self.rng)
        self.steps = 0
        self.skew = 0.0
        """By how much the clock of our functions is wrong."""
        self._tell = tell
        self._names = count(1)

    def clock(self) -> datetime:
        """What our functions believe."""
        return build.NOW + timedelta(seconds=self.agenda.now + self.skew)

    def true_clock(self) -> datetime:
        return build.NOW + timedelta(seconds=self.agenda.now)

    def new_id(self, kind: str = "id") -> str:
        return f"{kind}-{next(self._names)}"

    def within(self, low: float, high: float) -> float:
        return self.rng.uniform(low, high)

    def later(self, name: str, act: Callable[[], None], low: float, high: float) -> None:
        self.agenda.add(self.rng.uniform(low, high), name, act)

    def tell(self, what: str) -> None:
        if self._tell is not None:
            self._tell(f"{self.steps:4} {self.agenda.now:10.3f}  {what}")
