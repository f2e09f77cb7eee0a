"""The frame in flight, on a tmpfs: it survives the bridge's death and never a snapshot.

A frame is here before its first send and until the server has settled it, so a bridge that starts
over sends the same one again and not another with the same events.
"""

import logging
from pathlib import Path

from pydantic import ValidationError

from sandbox_bridge import disk
from sandbox_bridge.wire import frame as frames
from sandbox_bridge.wire.frame import Frame

logger = logging.getLogger(__name__)


class Outbox:
    def __init__(self, directory: Path, session: str, attempt: int) -> None:
        self._path = directory / f"{session}.{attempt}"

    def open(self) -> Frame | None:
        """The frame an earlier bridge of this attempt left; other attempts' are deleted unread."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for other in self._path.parent.iterdir():
            if other != self._path:
                disk.remove(other)
        return self._read()

    def _read(self) -> Frame | None:
        try:
            return frames.read(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (ValidationError, UnicodeDecodeError):
            logger.warning("outbox unreadable")
            self.forget()
            return None

    def keep(self, frame: Frame) -> None:
        disk.put(self._path, frame.raw.encode())

    def forget(self) -> None:
        disk.remove(self._path)
