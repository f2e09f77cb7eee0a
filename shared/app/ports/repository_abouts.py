"""What people say about a repository, for whoever has to find the right one."""

from dataclasses import dataclass
from typing import Protocol

from shared.domain.repository_url import RepositoryKey


@dataclass(frozen=True, slots=True)
class About:
    description: str = ""
    aliases: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    environment: str | None = None
    """The id of the one that sessions on it get when nobody chooses."""


class RepositoryAbouts(Protocol):
    def get(self, repository: RepositoryKey) -> About:
        """An empty one of a repository that nothing was said about."""
        ...

    def put(self, repository: RepositoryKey, about: About) -> None:
        """The last word counts; safe to repeat."""
        ...
