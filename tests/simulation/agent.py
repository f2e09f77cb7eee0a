"""What runs beside the real bridge in a simulated sandbox: a boot with its phases, and an agent."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from sandbox_bridge.boot.report import BootFailed, Report
from sandbox_bridge.harness.seam import Emit, HarnessFailed, Outcome, Turn
from sandbox_bridge.wire.line import Line
from shared.protocol.events import StepFinished, Text, TextDelta
from tests.simulation.book import Book
from tests.simulation.nature import Nature
from tests.simulation.process import Process

_PHASES = ("starting", "sync", "setup", "start", "skills", "harness")


@dataclass(frozen=True, slots=True)
class Place:
    """Where an agent works: it reads what is there and leaves its prompt's number behind."""

    book: Book
    found: Callable[[], set[int]]
    leave: Callable[[int], None]


class Boot:
    def __init__(self, nature: Nature, line: Line) -> None:
        self._nature = nature
        self._report = Report(line.emit, lambda: nature.agenda.now)

    async def run(self) -> None:
        chaos = self._nature.chaos
        fails = self._nature.rng.choice(_PHASES) if chaos.strikes("boot failed") else None
        hangs = self._nature.rng.choice(_PHASES) if chaos.strikes("boot hung") else None
        for phase in _PHASES:
            with self._report.phase(phase):
                await asyncio.sleep(self._nature.within(0.0, 2.0))
                if phase == hangs:
                    await asyncio.sleep(self._nature.within(60.0, 3000.0))
                if phase == fails:
                    raise BootFailed("it was told to")


class Agent:
    name: str = "simulated"

    def __init__(self, process: Process, place: Place) -> None:
        self._process = process
        self._nature = process.nature
        self._place = place
        self._stopped: asyncio.Event | None = None

    async def start(self) -> None:
        await asyncio.sleep(self._nature.within(0.0, 1.0))
        if self._nature.chaos.strikes("agent failed"):
            raise HarnessFailed("it does not start")

    async def close(self) -> None:
        return

    async def stop_turn(self) -> bool:
        if self._stopped is None or self._nature.chaos.strikes("stop ignored"):
            return False
        self._stopped.set()
        return True

    async def run(self, turn: Turn, emit: Emit) -> Outcome:
        """Its files change at its beginning, so work that was cut off is work, too."""
        number, place = turn.number, self._place
        self._stopped = asyncio.Event()
        self._nature.tell(f"{self._process.name}: turn {number} runs")
        place.book.turn_begins(number, self._process, place.found())
        place.leave(number)
        well = False
        try:
            outcome = await self._work(turn, emit)
            well = outcome.status == "completed"
        finally:
            if not self._process.loop.dead:
                self._nature.tell(f"{self._process.name}: turn {number} ends, well={well}")
                place.book.turn_ends(number, self._process, well=well)
        return outcome

    async def _work(self, turn: Turn, emit: Emit) -> Outcome:
        assert self._stopped is not None
        chaos, within = self._nature.chaos, self._nature.within
        long = chaos.strikes("turn long")
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

    async def _rests(self, seconds: float) -> bool:
        """Whether it was stopped meanwhile."""
        assert self._stopped is not None
        try:
            async with asyncio.timeout(seconds):
                await self._stopped.wait()
        except TimeoutError:
            return False
        return True
