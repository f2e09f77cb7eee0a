"""Repositories: whether one can be reached, and those that people have worked on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.domain.session.state import Repository


class Repositories(Protocol):
    def check(self, url: str) -> None:
        """Raises `NotFound` (with a sentence) when no git repository answers at this URL, and
        `Unavailable` when nothing can be said now.
        """
        ...


@dataclass(frozen=True, slots=True)
class Remembered:
    repository: Repository
    used_at: datetime


class RememberedRepositories(Protocol):
    """Of the whole workspace. A repository is found again by its key, however its URL is spelt."""

    def register(self, repository: Repository, now: datetime) -> Remembered:
        """As somebody names it, whatever was known; when it was used is kept."""
        ...

    def use(self, repository: Repository, now: datetime) -> None:
        """One that was never seen is remembered as it is; of another only the time is new."""
        ...

    def all(self, *, limit: int) -> Sequence[Remembered]:
        """The last used one first; consistent."""
        ...
