"""The bridge's files on a simulated disk: the real code, where a kill may come at each write."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, Protocol

from sandbox_bridge.boot.record import BootRecord, Step
from sandbox_bridge.turns.marker import Marker
from sandbox_bridge.turns.record import Records
from sandbox_bridge.wire.frame import Frame
from sandbox_bridge.wire.outbox import Outbox
from tests.simulation.book import Book
from tests.simulation.eventloop import VirtualLoop
from tests.simulation.nature import Nature


class Mortal(Protocol):
    nature: Nature
    loop: VirtualLoop

    def die_in_the_middle(self) -> NoReturn: ...


@dataclass(frozen=True, slots=True)
class Disk:
    """Where a process writes: `runtime` dies with its sandbox's memory, `marker` does not."""

    runtime: Path
    marker: Path
    saved: Callable[[], None]
    """The marker was written."""


class SentFrames(Outbox):
    """The real one, in which a kill may come before a write, or after it."""

    def __init__(
        self, process: Mortal, book: Book, directory: Path, session: str, attempt: int
    ) -> None:
        super().__init__(directory, session, attempt)
        self._process = process
        self._book = book

    def keep(self, frame: Frame) -> None:
        self._book.sent.add(frame.id)
        perilous(self._process, lambda: super(SentFrames, self).keep(frame))

    def forget(self) -> None:
        if not self._process.loop.dead and (frame := self._read()) is not None:
            self._book.forgets(frame.id)
        perilous(self._process, super().forget)


class TurnRecords(Records):
    """The real ones, likewise."""

    def __init__(self, process: Mortal, directory: Path) -> None:
        super().__init__(directory)
        self._process = process

    def _put(self, prompt: int, record: Any) -> None:
        perilous(self._process, lambda: super(TurnRecords, self)._put(prompt, record))


class BootSteps(BootRecord):
    """The real ones, likewise."""

    def __init__(self, process: Mortal, directory: Path, session: str, attempt: int) -> None:
        super().__init__(directory, session, attempt)
        self._process = process

    def add(self, step: Step, repository: str) -> None:
        perilous(self._process, lambda: super(BootSteps, self).add(step, repository))


class TurnMarker(Marker):
    """The real one, likewise."""

    def __init__(self, process: Mortal, disk: Disk, session: str) -> None:
        super().__init__(disk.marker, session)
        self._process = process
        self._saved = disk.saved

    def advance(self, prompt: int) -> bool:
        if not self._process.loop.dead and self._process.nature.chaos.strikes("mark not left"):
            return False
        told: list[bool] = []

        def write() -> None:
            told.append(super(TurnMarker, self).advance(prompt))
            self._saved()

        perilous(self._process, write)
        return told == [True]


def perilous(process: Mortal, write: Callable[[], object]) -> None:
    """Something written to the sandbox's disk. A dead process writes nothing."""
    if process.loop.dead:
        return
    killed = process.nature.chaos.strikes("bridge killed while writing")
    after = killed and process.nature.rng.random() < 0.5
    if not killed or after:
        write()
    if killed:
        process.die_in_the_middle()
