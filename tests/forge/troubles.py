"""What may happen to a request on its way: ordered one by one, for the requests to come."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from threading import Event, RLock
from typing import Any


class Wire(Enum):
    SLOW = auto()
    """No answer, until the server ends."""
    TRUNCATED = auto()
    """Done, and half of the answer arrives."""
    LOST = auto()
    """Done, and the connection ends before the answer."""
    NONSENSE = auto()
    """A page of somebody in between, with 200."""


@dataclass(frozen=True, slots=True)
class Refusal:
    status: int
    content: Any
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


type Trouble = Wire | Refusal

SECONDARY_LIMIT = Refusal(
    403, {"message": "You have exceeded a secondary rate limit. Please wait a few minutes."}
)
TOO_MANY = Refusal(429, {"message": "API rate limit exceeded"}, {"retry-after": "7"})
SPENT = Refusal(
    403,
    {"message": "API rate limit exceeded for installation ID 1."},
    {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767323105"},
)
FORBIDDEN = Refusal(403, {"message": "Resource not accessible by integration"})
BAD_CREDENTIALS = Refusal(401, {"message": "Bad credentials"})
NOT_FOUND = Refusal(404, {"message": "Not Found"})
INVALID = Refusal(
    422,
    {
        "message": "Validation Failed",
        "errors": [{"resource": "PullRequest", "field": "head", "code": "invalid"}],
    },
)
BROKEN = Refusal(502, {"message": "Server Error"})


@dataclass(slots=True)
class Troubles:
    """`over` is set when the server ends: whoever is slow then stops waiting."""

    over: Event = field(default_factory=Event)
    _script: list[tuple[str, Trouble]] = field(default_factory=list[tuple[str, Trouble]])
    _lock: RLock = field(default_factory=RLock)

    def order(self, *troubles: Trouble, at: str = "") -> None:
        """For the next requests whose path holds `at`, one each."""
        with self._lock:
            self._script += [(at, trouble) for trouble in troubles]

    def forget(self) -> None:
        with self._lock:
            self._script.clear()

    def meet(self, path: str) -> Trouble | None:
        with self._lock:
            for ordered in self._script:
                if ordered[0] in path:
                    self._script.remove(ordered)
                    return ordered[1]
        return None


def encoded(content: Any) -> bytes:
    return b"" if content is None else json.dumps(content).encode()
