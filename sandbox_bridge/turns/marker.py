"""The newest prompt whose turn has left its files here: written where the files are, and said at
each hello, so that the server learns of a disk that is older than what it knows.

Written before the first word of a turn's end is said. It never goes back, and is about one session:
another's, on a prebuilt image, counts as none.
"""

import json
import logging
import os
from pathlib import Path
from typing import Any

from sandbox_bridge import disk

logger = logging.getLogger(__name__)


class Marker:
    def __init__(self, path: Path, session: str) -> None:
        self._path = path
        self._session = session
        self._prompt = _read(path, session)

    @property
    def prompt(self) -> int:
        """0: none yet."""
        return self._prompt

    def advance(self, prompt: int) -> bool:
        """Whether it is on the disk. A turn whose mark is not says so with its end, so that nobody
        takes these files for older than they are.
        """
        if prompt <= self._prompt:
            return True
        content = json.dumps({"session": self._session, "prompt": prompt}).encode()
        try:
            _put(self._path, content)
        except OSError:
            logger.exception("marker", extra={"prompt": prompt})
            return False
        self._prompt = prompt
        return True


def _put(path: Path, content: bytes) -> None:
    try:
        disk.put(path, content)
    except OSError:
        _overwrite(path, content)


def _overwrite(path: Path, content: bytes) -> None:
    """In place: the agent may have filled the disk, and this takes no new block of it."""
    descriptor = os.open(path, os.O_WRONLY)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def _read(path: Path, session: str) -> int:
    try:
        found: dict[str, Any] = json.loads(path.read_bytes())
        return int(found["prompt"]) if found["session"] == session else 0
    except FileNotFoundError:
        return 0
    except (OSError, ValueError, TypeError, KeyError):
        logger.warning("marker unreadable")
        return 0
