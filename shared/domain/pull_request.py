"""A pull request of a session, as its code host last told of it.

The host's own time decides what is newer: a webhook, a refresh and our own call come in any order,
late, or twice.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Self

MAX_PULL_REQUESTS = 20
"""Of one session: they are kept in it."""

MAX_TITLE_CHARS = 256
MAX_BODY_CHARS = 20_000


class PullRequestState(StrEnum):
    OPEN = "open"
    CLOSED = "closed"
    MERGED = "merged"


_RANK = tuple(PullRequestState)


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """`repository` is its name in the session, `number` the host's own there."""

    repository: str
    number: int
    url: str
    title: str
    state: PullRequestState
    draft: bool
    head: str
    base: str
    head_commit: str
    updated_at: datetime
    author: str | None = None
    """In whose name we opened it; None: somebody did at the host."""

    @property
    def key(self) -> tuple[str, int]:
        return (self.repository, self.number)

    def then(self, told: Self, *, asked: bool = False) -> Self:
        """What is known after `told`, which may be old news. Merged is for good.

        `asked`: it is the host's answer to a question of ours, so nothing of that time is newer.
        """
        if self._is_past(told, asked=asked):
            return self
        return replace(told, author=told.author or self.author)

    def is_unclear(self, told: Self) -> bool:
        """Whether the two differ and are of one tick of the host's clock: only it knows, then."""
        same = replace(told, author=self.author) == self
        return told.updated_at == self.updated_at and not same

    def _is_past(self, told: Self, *, asked: bool) -> bool:
        if self.state is PullRequestState.MERGED and told.state is not self.state:
            return True
        if told.updated_at != self.updated_at:
            return told.updated_at < self.updated_at
        # A host's clock may tick in seconds: of two states in one of them the later wins.
        return not asked and _RANK.index(told.state) < _RANK.index(self.state)


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestOffer:
    """The page of the host on which a person opens it: nobody's token was there to do it."""

    repository: str
    head: str
    base: str
    url: str
    at: datetime

    def is_same(self, other: Self) -> bool:
        """Whenever it was made."""
        return replace(other, at=self.at) == self
