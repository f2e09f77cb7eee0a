"""The provider of sandboxes: what the fake of the port says happened does happen, here.

A box's files are the fake's, so its pauses and copies keep what a provider's would. What runs in
it, and its memory, end with each pause.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, override

from shared.app.ports.sandboxes import SandboxInfo
from shared.domain.session.state import Session, SessionId
from shared.protocol.bridge import IDENTITY_PATH
from tests.fakes.sandboxes import FakeSandboxes, Machine
from tests.simulation.book import Book
from tests.simulation.box import BROKEN, Box, work_in
from tests.simulation.gateway import Gateway
from tests.simulation.nature import Nature

IMAGE: Final = "team/image:default"
"""What some sessions begin with: nothing of theirs is in it."""


class Provider(FakeSandboxes):
    def __init__(
        self,
        nature: Nature,
        gateway: Gateway,
        books: Callable[[SessionId], Book],
        root: Path,
        *,
        stored: Callable[[], Session],
    ) -> None:
        super().__init__(now=nature.true_clock)
        self._nature = nature
        self._gateway = gateway
        self._books = books
        self._stored = stored
        self._root = root
        self.boxes: dict[str, Box] = {}
        self.lost = 0
        """How many were killed from outside."""
        self.broken = 0
        """How many do not boot any more, or did not."""
        self.older: set[str] = set()
        """Those that woke with older files, once."""
        self.silent_until = 0.0
        """Until then it does not say when sandboxes end."""

    @override
    @contextmanager
    def _call(self, called: str, **arguments: object) -> Generator[None]:
        with super()._call(called, **arguments):
            yield
        self.calls.clear()
        self._nature.tell(f"provider: {called} {arguments.get('provider_id', '')}")
        self.settle()

    @override
    def create(self, **asked: Any) -> SandboxInfo:
        return self._said(super().create(**asked))

    @override
    def resume(self, provider_id: str, *, timeout: timedelta) -> SandboxInfo:
        return self._said(super().resume(provider_id, timeout=timeout))

    @override
    def info(self, provider_id: str) -> SandboxInfo:
        return self._said(super().info(provider_id))

    def _said(self, info: SandboxInfo) -> SandboxInfo:
        silent = self._nature.agenda.now < self.silent_until
        return replace(info, ends_at=None) if silent else info

    def book_of(self, box: Box) -> Book:
        return self._books(SessionId(box.machine.info.metadata["outboard-session"]))

    def settle(self) -> None:
        """What was asked for comes about."""
        for name, machine in self.machines.items():
            box = self.boxes.get(name) or self._box(machine)
            if not box.runs:
                self._sleeps(box)
                continue
            if box.asleep:
                self._wakes(box)
            if len(machine.started) > box.commands:
                box.commands = len(machine.started)
                self._nature.later(f"{name} launches", box.launch, 0.01, 0.5)
        for name in sorted(self.boxes.keys() - self.machines.keys()):
            self._destroyed(self.boxes.pop(name))

    def _sleeps(self, box: Box) -> None:
        box.stop()
        if not box.asleep:
            box.asleep = True
            box.sleeps.append(dict(box.machine.files))

    def _wakes(self, box: Box) -> None:
        """With all of its files, as a rule: providers have woken some with older ones."""
        box.asleep = False
        if len(box.sleeps) > 1 and self._nature.chaos.strikes("woken with older files"):
            self._nature.tell(f"{box.name}: wakes with older files")
            box.machine.files = dict(box.sleeps[-2])
            self.older.add(box.name)
            self._forget(box)

    def _forget(self, box: Box) -> None:
        """By the marks that there are: a loss that none of them shows, nobody can know of."""
        believed = self._stored().workspace
        copy, mark, left = believed.snapshot, box.mark(), box.work()
        if copy is not None and mark < min(believed.marker, copy.marker):
            left = self.copied()
        self.book_of(box).work &= left

    def copied(self) -> set[int]:
        """What is in the copy that the session counts on."""
        copy = self._stored().workspace.snapshot
        return work_in(self.copies.get(copy.id, {})) if copy else set()

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
        kept = self._is_elsewhere(work & book.work, box)
        book.note(kept, f"{box.name} was killed, and with it the work of {sorted(work)}")

    def _is_elsewhere(self, work: set[int], gone: Box) -> bool:
        book = self.book_of(gone)
        boxes = [box.work() for box in self.boxes.values() if self.book_of(box) is book]
        return any(work <= kept for kept in (*boxes, self.copied()))

    # What a provider does by itself.

    def lose(self, box: Box) -> None:
        """Its own disaster: what is left is what the session has a copy of."""
        self._nature.tell(f"{box.name}: killed from outside")
        self.lost += 1
        if self._nature.chaos.strikes("copies lost, too"):
            self._nature.tell("and all copies")
            self.copies = {name: kept for name, kept in self.copies.items() if name == IMAGE}
        box.gone = True
        del self.machines[box.name]
        del self.boxes[box.name]
        box.stop()
        book = self.book_of(box)
        if not self._is_elsewhere(book.work, box) or self._boots_beside():
            book.work &= self.copied()

    def break_(self, box: Box) -> None:
        """Something in it keeps it from ever booting again: a full disk, a script."""
        self._nature.tell(f"{box.name}: broken")
        self.broken += 1
        box.machine.files[BROKEN] = b""

    def work_beside(self, name: str | None) -> set[int]:
        """What is left of a session's work without that sandbox, when another has booted."""
        return set[int]().union(*(box.work() for box in self.boxes.values() if box.name != name))

    def _boots_beside(self) -> bool:
        """What is in a sandbox that boots in the place of another is nobody's before it has."""
        attempt = self._stored().attempt
        return attempt is not None and attempt.beside

    def pause_by_itself(self, box: Box) -> None:
        self._nature.tell(f"{box.name}: paused by the provider")
        box.machine.info = replace(box.machine.info, state="paused", ends_at=None)
        box.machine.files.pop(IDENTITY_PATH, None)
        self._sleeps(box)

    def pause_overdue(self) -> None:
        now = self._nature.true_clock()
        for box in self.boxes.values():
            ends_at = box.machine.info.ends_at
            if ends_at is not None and ends_at <= now:
                self.pause_by_itself(box)
