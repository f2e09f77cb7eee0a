"""One sandbox of the provider, while it runs: a supervisor, its bridge, and files."""

import json
import shutil
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final

from sandbox_bridge.identity import parse
from sandbox_bridge.supervisor.restarts import Restarts
from shared.protocol.bridge import IDENTITY_PATH, Identity
from tests.fakes.sandboxes import Machine
from tests.simulation.agent import Place
from tests.simulation.book import Book
from tests.simulation.disk import Disk
from tests.simulation.gateway import Gateway
from tests.simulation.nature import Nature
from tests.simulation.process import Process

WORK: Final = "/workspace/work"
"""The file that each turn of the simulated agent changes."""

SETTLED: Final = "/workspace/settled"
BROKEN: Final = "/workspace/broken"
MARKER: Final = "/home/user/.outboard/marker.json"


def work_in(files: Mapping[str, bytes]) -> set[int]:
    return {int(number) for number in files.get(WORK, b"").split()}


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
        self.asleep = False
        self.sleeps: list[dict[str, bytes]] = []
        """Its files at each pause."""
        self.slept_with: dict[str, bytes] | None = None
        """Its files at an earlier pause."""
        self.asleep = False

    @property
    def name(self) -> str:
        return self.machine.info.provider_id

    @property
    def runs(self) -> bool:
        return not self.gone and self.machine.info.state == "running"

    def work(self) -> set[int]:
        return work_in(self.machine.files)

    def mark(self) -> int:
        """Of the newest turn that has left one."""
        return int(json.loads(self.machine.files.get(MARKER, b"{}")).get("prompt", 0))

    def _leave(self, prompt: int) -> None:
        numbers = sorted({*self.work(), prompt})
        self.machine.files[WORK] = " ".join(map(str, numbers)).encode()

    def _settle(self) -> None:
        self.machine.files[SETTLED] = b""

    def _is_settled(self) -> bool:
        return SETTLED in self.machine.files

    def _is_broken(self) -> bool:
        return BROKEN in self.machine.files

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
        place = Place(
            self._book,
            self.work,
            self._leave,
            self._settle,
            self._is_settled,
            self._is_broken,
        )
        try:
            process.start(self._disk(), place)
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
        self._book.process_ends(process.loop)
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
            self._book.process_ends(process.loop)
            self.process = None
            process.kill()

    def stop(self) -> None:
        """Paused or gone: memory is lost, and no socket is closed by anybody."""
        self._supervised += 1
        if (process := self.process) is not None:
            self._book.process_ends(process.loop)
            self.process = None
            process.vanish()
        self._identity = None
        shutil.rmtree(self._root, ignore_errors=True)
