"""Which repositories are set up, for a bridge that starts over in the middle of a boot."""

import json
from pathlib import Path

from sandbox_bridge import disk


class SetupRecord:
    """On the tmpfs: it is about this attempt's sandbox and dies with it."""

    def __init__(self, directory: Path, session: str, attempt: int) -> None:
        self._path = directory / f"{session}.{attempt}"
        self._done = _read(self._path)

    def holds(self, repository: str) -> bool:
        return repository in self._done

    def add(self, repository: str) -> None:
        self._done |= {repository}
        disk.put(self._path, json.dumps(sorted(self._done)).encode())


def _read(path: Path) -> frozenset[str]:
    try:
        return frozenset(json.loads(path.read_bytes()))
    except FileNotFoundError:
        return frozenset()
