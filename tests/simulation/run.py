"""Many seeds on all processors, and what they came to."""

import logging
import multiprocessing
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.simulation.chaos import FAULTS
from tests.simulation.interleaving import Interleaver
from tests.simulation.people import ACTIONS
from tests.simulation.story import Told, tell

STEPS = 250
AT_ONCE = 20
ENOUGH = 50
"""Of each kind of fault and action, over a run of at least `MANY` seeds."""
MANY = 2_000


@dataclass
class Tally:
    seeds: int = 0
    steps: int = 0
    struck: Counter[str] = field(default_factory=Counter[str])
    acted: Counter[str] = field(default_factory=Counter[str])
    violations: list[Told] = field(default_factory=list[Told])

    def add(self, told: Told) -> None:
        self.seeds += 1
        self.steps += told.steps
        self.struck += told.struck
        self.acted += told.acted
        if told.violation is not None:
            self.violations.append(told)

    def rare(self) -> list[str]:
        """What hardly ever happened, in a run that should have seen it all."""
        if self.seeds < MANY:
            return []
        faults = [kind for kind in FAULTS if self.struck[kind] < ENOUGH]
        return faults + [kind for kind in ACTIONS if self.acted[kind] < ENOUGH]

    def line(self) -> str:
        faults = ", ".join(f"{kind} {self.struck[kind]}" for kind in FAULTS)
        actions = ", ".join(f"{kind} {self.acted[kind]}" for kind in ACTIONS)
        return (
            f"seeds {self.seeds}, steps {self.steps}, "
            f"faults {self.struck.total()} ({faults}), "
            f"user actions {self.acted.total()} ({actions}), "
            f"violations {len(self.violations)}"
        )


def run(seeds: Sequence[int], steps: int = STEPS, *, say: Callable[[str], None]) -> Tally:
    """`say` hears of each violation at once."""
    tally = Tally()
    for told in _told(seeds, steps):
        tally.add(told)
        if told.violation is not None:
            say(f"seed {told.seed}, {told.violation}")
    return tally


def _told(seeds: Sequence[int], steps: int) -> Iterator[Told]:
    workers = len(os.sched_getaffinity(0))
    pieces = [(seeds[i : i + AT_ONCE], steps) for i in range(0, len(seeds), AT_ONCE)]
    if workers == 1 or len(pieces) == 1:
        for piece in pieces:
            yield from _some(piece)
        return
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        for found in pool.imap(_some, pieces):
            yield from found


_interleaver = Interleaver()


def _some(piece: tuple[Sequence[int], int]) -> list[Told]:
    seeds, steps = piece
    return [one(seed, steps) for seed in seeds]


def one(seed: int, steps: int = STEPS, *, heard: Callable[[str], None] | None = None) -> Told:
    """`heard` gets the story, line by line."""
    logging.disable(logging.CRITICAL)
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as root:
        try:
            return tell(seed, steps, Path(root), _interleaver, heard)
        finally:
            logging.disable(logging.NOTSET)
