"""Vendors with manners: they remember what they were asked and fail when they are told to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Literal

from shared.app.ports.connections import Gone
from shared.domain.errors import NotFound
from shared.domain.repository_url import RepositoryKey, key
from shared.domain.session.state import Repository, SessionId


@dataclass
class FakeSockets:
    """Keeps what was posted to each connection; `gone` ones refuse."""

    posted: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    gone: set[str] = field(default_factory=set[str])
    failure: Exception | None = None
    _lock: Lock = field(default_factory=Lock)

    def post(self, connection_id: str, message: str) -> None:
        if self.failure is not None:
            raise self.failure
        if connection_id in self.gone:
            raise Gone(connection_id)
        with self._lock:
            self.posted.setdefault(connection_id, []).append(message)

    def close(self, connection_id: str) -> None:
        if self.failure is not None:
            raise self.failure
        self.gone.add(connection_id)

    def take(self, connection_id: str) -> list[str]:
        """What was posted since the last time."""
        return self.posted.pop(connection_id, [])


@dataclass
class FakeWorkflow:
    """Remembers which lives were started, and which tokens were answered with what."""

    started: list[tuple[str, int, int]] = field(default_factory=list[tuple[str, int, int]])
    over: set[tuple[str, int, int]] = field(default_factory=set[tuple[str, int, int]])
    completed: dict[str, str] = field(default_factory=dict[str, str])
    seconds: dict[str, int | None] = field(default_factory=dict[str, int | None])
    beats: list[str] = field(default_factory=list[str])
    failure: Exception | None = None

    def start(self, session_id: SessionId, attempt: int, life: int) -> None:
        self._fail()
        self.started.append((session_id, attempt, life))

    def state(
        self, session_id: SessionId, attempt: int, life: int
    ) -> Literal["running", "over", "unknown"]:
        self._fail()
        if (session_id, attempt, life) not in self.started:
            return "unknown"
        return "over" if (session_id, attempt, life) in self.over else "running"

    def complete(self, token: str, outcome: str, seconds: int | None) -> None:
        self._fail()
        if token not in self.completed:
            self.completed[token] = outcome
            self.seconds[token] = seconds

    def beat(self, token: str) -> None:
        self._fail()
        self.beats.append(token)

    def _fail(self) -> None:
        if self.failure is not None:
            raise self.failure


@dataclass
class FakeTimers:
    due: dict[tuple[str, int], datetime] = field(default_factory=dict[tuple[str, int], datetime])

    def poke_at(self, session_id: SessionId, attempt: int, due: datetime) -> None:
        self.due[session_id, attempt] = due


@dataclass
class FakeRepositories:
    """Every repository is there, but for those that a test names."""

    missing: set[str] = field(default_factory=set[str])

    def check(self, url: str) -> None:
        if url in self.missing:
            raise NotFound(f"no git repository that we may read answers at {url!r}")


type _Known = tuple[tuple[RepositoryKey, str | None], ...]


@dataclass
class FakeImages:
    """Kept honest by the contract test in `tests/shared/adapters/dynamodb`."""

    ready: dict[_Known, str] = field(default_factory=dict[_Known, str])
    failure: Exception | None = None

    def of(self, target: tuple[Repository, ...]) -> str | None:
        if self.failure is not None:
            raise self.failure
        return self.ready.get(_known(target))

    def register(self, target: tuple[Repository, ...], image: str) -> None:
        self.ready[_known(target)] = image

    def forget(self, target: tuple[Repository, ...]) -> None:
        self.ready.pop(_known(target), None)


def _known(target: tuple[Repository, ...]) -> _Known:
    return tuple((key(repository.url), repository.branch) for repository in target)


@dataclass
class FakeSecrets:
    values: dict[str, str] = field(default_factory=dict[str, str])
    reads: int = 0
    failure: Exception | None = None

    def all(self) -> Mapping[str, str]:
        if self.failure is not None:
            raise self.failure
        self.reads += 1
        return self.values
