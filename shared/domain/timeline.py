"""The timeline of a session: an append-only log of frames, dense and in commit order."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Frame:
    """What is appended at once. `events` are JSON objects with a `type`, kept as they came."""

    id: str
    events: tuple[Mapping[str, Any], ...]
    attempt: int | None = None
    """The attempt whose bridge sent it; None: the server said it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A frame in its slot. Slots count from 1 without a hole; `at` is the server's clock."""

    seq: int
    at: datetime
    frame: Frame
