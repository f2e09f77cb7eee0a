"""The last requests that a recording server was asked, for tests to look at."""

from collections import deque
from typing import Any

KEPT = 200


class Journal:
    """Records nothing unless told to: prompts of one session are no other's business."""

    def __init__(self, *, recording: bool) -> None:
        self._kept = deque[dict[str, Any]](maxlen=KEPT if recording else 0)

    def record(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> None:
        self._kept.append({"path": path, "headers": headers, "body": body})

    def clear(self) -> None:
        self._kept.clear()

    @property
    def requests(self) -> list[dict[str, Any]]:
        return list(self._kept)
