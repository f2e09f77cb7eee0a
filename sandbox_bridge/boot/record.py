"""What this attempt's boot has done to each repository, for a bridge that starts over within it."""

import json
from pathlib import Path
from typing import Literal

from sandbox_bridge import disk

type Step = Literal["renewed", "set up", "over"]

_OVER: tuple[Step, str] = ("over", "")


class BootRecord:
    """On the tmpfs: it is about this attempt's sandbox and dies with it."""

    def __init__(self, directory: Path, session: str, attempt: int) -> None:
        self._path = directory / f"{session}.{attempt}"
        self._done = _read(self._path)

    @property
    def is_over(self) -> bool:
        """An earlier bridge of this attempt let the agent write: there may be work here."""
        return _OVER in self._done

    def over(self) -> None:
        self.add(*_OVER)

    def holds(self, step: Step, repository: str) -> bool:
        return (step, repository) in self._done

    def add(self, step: Step, repository: str) -> None:
        self._done |= {(step, repository)}
        disk.put(self._path, json.dumps(sorted(self._done)).encode())


def _read(path: Path) -> frozenset[tuple[str, str]]:
    try:
        done: list[tuple[str, str]] = json.loads(path.read_bytes())
    except FileNotFoundError:
        return frozenset()
    return frozenset((step, repository) for step, repository in done)
