"""A failing host in a process of its own, and what it is told to meet."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import ClassVar

from tests.infra.local.sandbox_host import failing as program
from tests.infra.local.sandbox_host.failing import Fault
from tests.infra.local.sandbox_host.hosting import Host, prepared


@dataclass
class FailingHost(Host):
    module: ClassVar[str] = program.__name__
    _planned: int = 0

    def meets(self, *faults: Fault) -> None:
        for fault in faults:
            self._planned += 1
            path = self.root / "faults" / f"{self._planned:04}.json"
            path.with_suffix(".draft").write_text(json.dumps(asdict(fault)))
            path.with_suffix(".draft").rename(path)

    def goes_on(self) -> None:
        """Who is late does it now."""
        (self.root / "faults" / "go").touch()

    def crashes_after(self, changes: int) -> None:
        (self.root / "crash").write_text(str(changes))

    def crashes_no_more(self) -> bool:
        """Whether it had not come to it."""
        crash = self.root / "crash"
        left = crash.exists()
        crash.unlink(missing_ok=True)
        return left

    def dies(self) -> None:
        """By its own hand."""
        assert self.process
        self.process.wait(20)
        self.kill_hard()


@contextmanager
def failing(isolation: str | None = None) -> Generator[FailingHost]:
    with prepared(isolation, kind=FailingHost) as host:
        (host.root / "faults").mkdir()
        host.start()
        yield host
