"""The provider and its sandboxes: what the fake of the port says happened does happen, here.

A box's files are the fake's, so its pauses and copies keep what a provider's would. What runs in
it, and its memory, end with each pause.
"""

import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import override

from sandbox_bridge.identity import parse
from sandbox_bridge.supervisor.restarts import Restarts
from shared.domain.session.state import SessionId
from shared.protocol.bridge import IDENTITY_PATH, Identity
from tests.fakes.sandboxes import FakeSandboxes, Machine
from tests.simulation.agent import Agent, Boot, Place
from tests.simulation.book import Book, Violation
from tests.simulation.gateway import Gateway
from tests.simulation.nature import Nature
from tests.simulation.process import Disk, Process

WORK = "/workspace/work"
"""The file that each turn of the simulated agent changes."""

MARKER = "/home/user/.outboard/marker.json"


class Box:
    """One sandbox, while it runs: a supervisor and its bridge."""

    def __init__(
        self, nature: Nature, gateway: Gateway, machine: Machine, book: Book, root: Path
    ) -> None:
        self.machine = machine
        self._nature = nature
        self._gateway = gateway
        self._book = book
        self._root = root
        self._identity: Identity | None = None
        self._restarts = Restarts()
        self._supervised = 0
        self.process: Process | None = None
        self.commands = 0
        self.gone = False

    @property
    def name(self) -> str:
        return self.machine.info.provider_id

    @property
    def runs(self) -> bool:
        return not self.gone and self.machine.info.state == "running"

    def work(self) -> set[int]:
        return {int(number) for number in self.machine.files.get(WORK, b"").split()}

    def _leave(self, prompt: int) -> None:
        numbers = sorted({*self.work(), prompt})
        self.machine.files[WORK] = " ".join(map(str, numbers)).encode()

    def launch(self) -> None:
        """The supervisor takes the launch file; one of a newer attempt ends the older's."""
        content = self.machine.files.pop(IDENTITY_PATH, None)
        if content is None or not self.runs:
            return
        identity = parse(content)
        known = self._identity
        if known is not None and self._supervised and known.attempt > identity.attempt:
            return
        self.end_processes()
        self._identity, self._restarts = identity, Restarts()
        self._supervised += 1
        self._begin(self._supervised)

    def _begin(self, supervisor: int) -> None:
        if supervisor != self._supervised or self._identity is None or not self.runs:
            return
        process = Process(
            self._nature, self._gateway, self._identity, lambda words: self._over(process, words)
        )
        self._nature.tell(f"{process.name}: starts in {self.name}")
        self.process = process
        place = Place(self._book, self.work, self._leave)
        try:
            process.start(
                self._disk(), Agent(process, place), lambda line: Boot(self._nature, line)
            )
        except BaseException:
            if not process.loop.dead:
                raise

    def _disk(self) -> Disk:
        """The marker is a file of the box: it is in every pause and copy of that."""
        marker = self._root / "marker.json"
        self._root.mkdir(parents=True, exist_ok=True)
        if MARKER in self.machine.files:
            marker.write_bytes(self.machine.files[MARKER])

        def saved() -> None:
            self.machine.files[MARKER] = marker.read_bytes()

        return Disk(self._root / "runtime", marker, saved)

    def _over(self, process: Process, words: str | None) -> None:
        """A bridge that was killed is started again; one that left, or died too often, is not."""
        if process is not self.process:
            return
        self._book.process_ends(process)
        self.process = None
        if words is not None:
            return
        supervisor = self._supervised
        delay = self._restarts.after(timedelta(seconds=self._nature.agenda.now - process.born))
        if delay is not None:
            self._nature.agenda.add(
                delay.total_seconds(), f"{self.name} restarts", lambda: self._begin(supervisor)
            )

    def kill_bridge(self) -> None:
        if (process := self.process) is not None:
            process.kill()
            self._over(process, None)

    def end_processes(self) -> None:
        """Of the supervisor and everything under it."""
        self._supervised += 1
        if (process := self.process) is not None:
            self._book.process_ends(process)
            self.process = None
            process.kill()

    def stop(self) -> None:
        """Paused or gone: memory is lost, and no socket is closed by anybody."""
        self._supervised += 1
        if (process := self.process) is not None:
            self._book.process_ends(process)
            self.process = None
            process.vanish()
        self._identity = None
        shutil.rmtree(self._root, ignore_errors=True)


class Provider(FakeSandboxes):
    def __init__(
        self, nature: Nature, gateway: Gateway, books: Callable[[SessionId], Book], root: Path
    ) -> None:
        super().__init__(now=nature.true_clock)
        self._nature = nature
        self._gateway = gateway
        self._books = books
        self._root = root
        self.boxes: dict[str, Box] = {}
        self.lost = 0
        """How many were killed from outside."""

    @override
    @contextmanager
    def _call(self, called: str, **arguments: object) -> Generator[None]:
        with super()._call(called, **arguments):
            yield
        self.calls.clear()
        self._nature.tell(f"provider: {called} {arguments.get('provider_id', '')}")
        self.settle()

    def book_of(self, box: Box) -> Book:
        return self._books(SessionId(box.machine.info.metadata["outboard-session"]))

    def settle(self) -> None:
        """What was asked for comes about."""
        for name, machine in self.machines.items():
            box = self.boxes.get(name) or self._box(machine)
            if not box.runs:
                box.stop()
            elif len(machine.started) > box.commands:
                box.commands = len(machine.started)
                self._nature.later(f"{name} launches", box.launch, 0.01, 0.5)
        for name in self.boxes.keys() - self.machines.keys():
            self._destroyed(self.boxes.pop(name))

    def _box(self, machine: Machine) -> Box:
        name = machine.info.provider_id
        book = self._books(SessionId(machine.info.metadata["outboard-session"]))
        box = Box(self._nature, self._gateway, machine, book, self._root / name)
        self.boxes[name] = box
        return box

    def _destroyed(self, box: Box) -> None:
        """By us: only what nobody has worked in, or what is kept elsewhere, too."""
        box.gone = True
        box.stop()
        work, book = box.work(), self.book_of(box)
        if work & book.work and not self._is_elsewhere(work & book.work, book):
            raise Violation(f"{box.name} was killed, and with it the work of {sorted(work)}")

    def _is_elsewhere(self, work: set[int], book: Book) -> bool:
        return any(work <= box.work() for box in self.boxes.values() if self.book_of(box) is book)

    # What a provider does by itself.

    def lose(self, box: Box, kept: set[int]) -> None:
        """Its own disaster; `kept` is what the session has a copy of."""
        self._nature.tell(f"{box.name}: killed from outside")
        self.lost += 1
        box.gone = True
        del self.machines[box.name]
        del self.boxes[box.name]
        box.stop()
        book = self.book_of(box)
        if not self._is_elsewhere(book.work, book):
            book.work &= kept

    def pause_by_itself(self, box: Box) -> None:
        self._nature.tell(f"{box.name}: paused by the provider")
        box.machine.info = replace(box.machine.info, state="paused", ends_at=None)
        box.machine.files.pop(IDENTITY_PATH, None)
        box.stop()

    def pause_overdue(self) -> None:
        now = self._nature.true_clock()
        for box in self.boxes.values():
            ends_at = box.machine.info.ends_at
            if ends_at is not None and ends_at <= now:
                self.pause_by_itself(box)
