"""What runs beside the real bridge in a simulated sandbox: a boot with its phases, and an agent."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sandbox_bridge.boot.report import BootFailed, Report
from sandbox_bridge.harness.seam import (
    Emit,
    HarnessFailed,
    Outcome,
    Turn,
    WriteGate,
    WritesRefused,
)
from shared.protocol.bridge import BootPath
from shared.protocol.events import FatalKind, StepFinished, Text, TextDelta
from tests.simulation.book import Book
from tests.simulation.eventloop import VirtualLoop
from tests.simulation.nature import Nature

_KINDS: tuple[FatalKind, ...] = ("repository", "script", "agent", "runtime")


@dataclass(frozen=True, slots=True)
class Place:
    """Where an agent works: it reads what is there and leaves its prompt's number behind."""

    book: Book
    found: Callable[[], set[int]]
    leave: Callable[[int], None]
    settle: Callable[[], None]
    """Its first boot is over: from now on these are a session's files."""
    is_settled: Callable[[], bool]
    is_broken: Callable[[], bool]
    """Nothing boots from it."""


class Syncing:
    """The checkouts are brought up to date; until then nobody else may write."""

    def __init__(self, nature: Nature, path: BootPath, place: Place) -> None:
        self._nature = nature
        self._place = place
        self.path = path
        self.files_change = asyncio.Lock()
        self.settled = False

    def lacks(self, _pairs: object) -> bool:
        # One in which a turn was to run is kept: that it did nothing yet may not have been heard.
        asked = self._place.is_settled() or self._place.book.has_dispatched()
        whole = asked or self.path not in {"resume", "restore"}
        self._place.book.note(whole, "a sandbox whose first boot was never over is woken again")
        return False

    async def run(self, _pairs: object) -> list[Any]:
        await trouble(self._nature)
        self.settled = True
        return []


class Scripts:
    """What repositories would run."""

    def __init__(self, nature: Nature, report: Report, place: Place) -> None:
        self._nature = nature
        self._report = report
        self._place = place
        self.tunnels = self

    def prepare(self) -> None:
        """There are no tunnels."""

    async def setup(self, _new: object) -> None:
        with self._report.phase("setup"):
            await trouble(self._nature)

    async def start(self) -> None:
        with self._report.phase("start"):
            await trouble(self._nature)
            if self._place.is_broken():
                raise BootFailed("it is broken", kind="script")


async def trouble(nature: Nature) -> None:
    """One part of a boot."""
    hangs = nature.chaos.strikes("boot hung")
    await asyncio.sleep(nature.within(0.0, 3.0))
    await asyncio.sleep(nature.within(60.0, 3000.0) if hangs else 0.0)
    if nature.chaos.strikes("boot failed"):
        raise BootFailed("it was told to", kind=nature.rng.choice(_KINDS))


class Agent:
    name: str = "simulated"

    def __init__(
        self,
        nature: Nature,
        loop: VirtualLoop,
        place: Place,
        gate: WriteGate,
        syncing: Syncing,
    ) -> None:
        self._nature = nature
        self._loop = loop
        self._gate = gate
        self._syncing = syncing
        self._place = place
        self._stopped: asyncio.Event | None = None

    async def start(self) -> None:
        await asyncio.sleep(self._nature.within(0.0, 1.0))
        if self._nature.chaos.strikes("agent failed"):
            raise HarnessFailed("it does not start")
        self._place.settle()

    async def close(self) -> None:
        return

    async def stop_turn(self) -> bool:
        if self._stopped is None or self._nature.chaos.strikes("stop ignored"):
            return False
        self._stopped.set()
        return True

    async def run(self, turn: Turn, emit: Emit) -> Outcome:
        number, place = turn.number, self._place
        self._stopped = asyncio.Event()
        self._nature.tell(f"turn {number} runs")
        place.book.turn_begins(number, self._loop, place.found())
        well = False
        try:
            outcome = await self._work(turn, emit)
            well = outcome.status == "completed"
        finally:
            if not self._loop.dead:
                self._nature.tell(f"turn {number} ends, well={well}")
                place.book.turn_ends(number, self._loop, well=well)
        return outcome

    async def _work(self, turn: Turn, emit: Emit) -> Outcome:
        assert self._stopped is not None
        chaos, within = self._nature.chaos, self._nature.within
        long = chaos.strikes("turn long")
        try:
            await self._write(turn.number)
        except WritesRefused as refusal:
            return Outcome("failed", str(refusal))
        for part in range(self._nature.rng.randint(0, 3)):
            emit(TextDelta(prompt=turn.number, part=str(part), delta="word "))
            if await self._rests(within(0.0, 3.0)):
                return Outcome("stopped")
        if await self._rests(within(60.0, 2000.0) if long else within(0.0, 20.0)):
            return Outcome("stopped")
        if chaos.strikes("agent failed"):
            raise HarnessFailed("it was told to")
        emit(Text(prompt=turn.number, part="end", text="done", final=True))
        emit(StepFinished(prompt=turn.number, cost=0.1))
        return Outcome("completed", cost=0.1)

    async def _write(self, prompt: int) -> None:
        """At its beginning, so work that was cut off is work, too."""
        await self._gate.wait()
        self._place.book.note(
            self._syncing.settled, f"prompt {prompt} wrote before the files were settled"
        )
        self._place.leave(prompt)
        self._place.book.work.add(prompt)

    async def _rests(self, seconds: float) -> bool:
        """Whether it was stopped meanwhile."""
        assert self._stopped is not None
        try:
            async with asyncio.timeout(seconds):
                await self._stopped.wait()
        except TimeoutError:
            return False
        return True
