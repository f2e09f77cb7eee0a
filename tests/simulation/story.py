"""The story of one seed: trouble for a while, peace, a last prompt, and the reckoning."""

import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from shared.domain.session import commands
from shared.domain.session.sandbox import MAX_FAILED_WAKES
from shared.domain.session.state import PromptStatus, SessionStatus
from shared.domain.timeline import Entry
from tests.simulation.box import BROKEN, Box
from tests.simulation.interleaving import Interleaver
from tests.simulation.lambdas import Lambdas
from tests.simulation.must import Violation, must
from tests.simulation.nature import Nature
from tests.simulation.people import ADA
from tests.simulation.world import World

NOTICED = 3_600.0
"""Seconds: the longest boot that may hold up the end of a turn is shorter."""

PEACE = 6_000
"""Steps within which a world without faults has to come to rest."""


@dataclass(slots=True)
class Told:
    """What a seed was."""

    seed: int
    steps: int = 0
    struck: Counter[str] = field(default_factory=Counter[str])
    acted: Counter[str] = field(default_factory=Counter[str])
    violation: str | None = None


class Story:
    def __init__(self, world: World, steps: int) -> None:
        self.world = world
        self._nature = world.nature
        self._chaos_steps = steps
        self._eagerness = world.nature.rng.choice([0.02, 0.06, 0.12, 0.2])
        self._tries: list[str] = []
        self._peace_since = 0
        self._idle = (0, 0.0)
        self._every(60.0, "sweep", world.sweep)
        self._every(300.0, "reap", world.reap)

    def step(self) -> bool:
        self._nature.steps += 1
        self.world.provider.pause_overdue()
        if self._nature.steps <= self._chaos_steps:
            self._trouble()
            more = True
        else:
            more = self._peace()
        self.world.check()
        return more

    # Trouble.

    def _trouble(self) -> None:
        self._strike()
        if self._nature.rng.random() < self._boredom():
            self.world.people.act()
        elif (item := self._nature.agenda.take(self._nature.rng.randrange)) is not None:
            item.act()

    def _boredom(self) -> float:
        """Where nothing goes on, people do something."""
        session = self.world.stored
        return self._eagerness if session.attempt else 0.5

    def _strike(self) -> None:
        chaos, rng = self._nature.chaos, self._nature.rng
        boxes = list(self.world.provider.boxes.values())
        if boxes:
            self._strike_a_box(rng.choice(boxes))
        if (sockets := self.world.bridges.open_ones()) and chaos.strikes("socket dropped"):
            self._nature.tell("socket dropped")
            self.world.bridges.close(rng.choice(sockets))
        if (running := self.world.executions.running()) and chaos.strikes("execution aborted"):
            self.world.executions.abort(rng.choice(running))
        if chaos.strikes("provider refuses for a while"):
            self.world.lambdas.refused_until = self._nature.agenda.now + rng.uniform(60.0, 600.0)
            self._nature.tell("the provider refuses for a while")
        if chaos.strikes("end not said for a while"):
            self.world.provider.silent_until = self._nature.agenda.now + rng.uniform(60.0, 1800.0)
            self._nature.tell("the provider does not say for a while when sandboxes end")
        if chaos.strikes("clock jumped"):
            self._nature.skew = rng.choice([0.0, rng.uniform(-200.0, 200.0)])
            self._nature.tell(f"the clock is wrong by {self._nature.skew:.0f} s")
        if chaos.strikes("time leapt"):
            self._nature.agenda.now += rng.choice([5.0, 60.0, 100.0, 400.0, 900.0])
            self._nature.tell("time leapt")

    def _strike_a_box(self, box: Box) -> None:
        chaos, provider = self._nature.chaos, self.world.provider
        if box.process is not None and chaos.strikes("bridge killed"):
            self._nature.tell(f"{box.name}: bridge killed")
            box.kill_bridge()
        if box.runs and chaos.strikes("supervisor killed"):
            self._nature.tell(f"{box.name}: supervisor killed")
            box.end_processes()
        hands_in = box.process is not None and box.process.hands_in
        if hands_in and chaos.strikes("sandbox lost handing in"):
            self._nature.tell(f"{box.name}: lost while it hands in what has changed")
            provider.lose(box)
            return
        if chaos.strikes("sandbox broken"):
            provider.break_(box)
        if box.runs and chaos.strikes("sandbox paused by the provider"):
            provider.pause_by_itself(box)
        elif chaos.strikes("sandbox killed" if box.runs else "sleeping sandbox lost"):
            provider.lose(box)

    # Peace.

    def _peace(self) -> bool:
        if not self._peace_since:
            self._peace_since = self._nature.steps
            self._nature.chaos.quiet = True
            self._nature.skew = self.world.lambdas.refused_until = 0.0
            self.world.provider.silent_until = 0.0
            self._nature.tell("peace")
            self.world.watcher.leave()
        must(self._nature.steps - self._peace_since < PEACE, f"no rest: {self._unrest()}")
        if self.world.stored.held and self.world.stored.queue:
            self.world.people.tell(commands.ResumeQueue(ADA))
        self._check_that_what_runs_runs()
        if self._unrest():
            item = self._nature.agenda.take_first()
            assert item is not None
            item.act()
            return True
        return self._at_rest()

    def _check_that_what_runs_runs(self) -> None:
        """A prompt that the session believes to run, while nothing does, is found out in time."""
        running = self.world.stored.running
        number = running.prompt.number if running is not None else 0
        now = self._nature.agenda.now
        if not number or number in self.world.book.running or number != self._idle[0]:
            self._idle = (number, now)
        must(now - self._idle[1] < NOTICED, f"prompt {number} is said to run, and nothing does")

    def _unrest(self) -> str:
        """What is still under way."""
        world, session = self.world, self.world.stored
        found = {
            "requests": world.people.waiting,
            "prompts": session.unfinished,
            "an attempt": session.attempt,
            "effects": world.memory.effects,
            "executions": world.executions.running(),
            "what nobody owns": not session.attempt and world.unowned(),
            "a watcher": world.watcher.watching and world.watcher.cursor < len(self._log),
        }
        return ", ".join(name for name, is_there in found.items() if is_there)

    @property
    def _log(self) -> list[Entry]:
        return self.world.memory.logs[self.world.session]

    def _at_rest(self) -> bool:
        session = self.world.stored
        if session.status is SessionStatus.ARCHIVED:
            self.world.people.tell(commands.Unarchive(ADA))
            return True
        if self._should_leave():
            self.world.people.tell(commands.BeginAnew(ADA))
            return True
        if session.status is not SessionStatus.CANCELLED and self._should_try():
            self._tries.append(self.world.people.prompt().request_id)
            return True
        if not self.world.watcher.watching:
            self.world.watcher.come()
            return True
        self._reckon()
        return False

    def _should_try(self) -> bool:
        """A prompt works. The one that finds the sandbox gone may fail once, and say so; those that
        find a broken one, until its copy is tried, and where that is broken, too, until somebody
        leaves the files.
        """
        if not self._tries:
            return True
        may_fail = (self.world.provider.lost > 0) + self._vain
        return len(self._tries) <= may_fail and not self._worked()

    @property
    def _vain(self) -> int:
        return MAX_FAILED_WAKES + 1 if self.world.provider.broken else 0

    def _should_leave(self) -> bool:
        """Only where there is no other way out."""
        files = self.world.stored.workspace
        tried = self._vain and len(self._tries) == self._vain and not self._worked()
        if not tried or files.left or not files.exists:
            return False
        copy = files.snapshot
        kept = self.world.provider.copies.get(copy.id) if copy else None
        must(kept is None or BROKEN in kept, "the copy would have booted, and was not tried")
        return True

    def _worked(self) -> bool:
        book = self.world.book
        return any(
            request == self._tries[-1] and book.final(number) is PromptStatus.COMPLETED
            for number, request in book.accepted.items()
        )

    def _reckon(self) -> None:
        book = self.world.book
        partition = self.world.memory.partitions[self.world.session]
        must(not self.world.memory.stuck, "an effect was given up")
        book.check_effects()
        book.check_inboxes(partition)
        for number, request in book.accepted.items():
            record = partition.prompts.get(number)
            must(record, f"prompt {number} was acknowledged and does not exist")
            assert record is not None
            must(record.text == f"do {request}", f"prompt {number} says something else")
            must(book.final(number), f"prompt {number} was acknowledged and is {record.status}")
            if request in self._tries[-1:]:
                well = record.status is PromptStatus.COMPLETED
                must(well, f"the last prompt is {record.status}: {record.error}")
        self.world.shown.read()
        self._reckon_with_the_watcher()

    def _reckon_with_the_watcher(self) -> None:
        watcher, log = self.world.watcher, self._log
        watcher.compare(log)
        must(watcher.cursor == len(log), f"the watcher has {watcher.cursor} of {len(log)}")

    def _every(self, seconds: float, name: str, act: Callable[[], None]) -> None:
        chaos, within = self._nature.chaos, self._nature.within

        def once() -> None:
            late = within(30.0, 200.0) if name == "sweep" and chaos.strikes("sweep late") else 0.0
            self._nature.agenda.add(seconds + late, name, once)
            if name == "sweep" and chaos.strikes("sweep lost"):
                return
            if name == "sweep" and chaos.strikes("sweep repeated"):
                self._nature.later(name, act, 0.0, 5.0)
            act()

        self._nature.agenda.add(within(0.0, seconds), name, once)


def tell(
    seed: int, steps: int, root: Path, interleaver: Interleaver, heard: Callable[[str], None] | None
) -> Told:
    """The whole of one seed."""
    nature = Nature(seed, tell=heard)
    world = World(nature, Lambdas(nature, interleaver), root)
    story = Story(world, steps)
    told = Told(seed)
    try:
        interleaver.run(story.step)
    except Exception as violation:  # noqa: BLE001  a crash of the product's is a finding, too
        told.violation = f"step {nature.steps}: {_sentence(violation)}"
    finally:
        world.close()
    told.steps, told.struck, told.acted = nature.steps, nature.chaos.struck, world.people.acted
    return told


def _sentence(violation: Exception) -> str:
    if isinstance(violation, Violation):
        return str(violation)
    where = traceback.extract_tb(violation.__traceback__)[-1]
    return f"{violation!r} at {Path(where.filename).name}:{where.lineno}: {where.line}"
