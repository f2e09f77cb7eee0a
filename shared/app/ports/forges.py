"""Code hosts ("forges"): which repositories we may use there, git's credentials, pull requests.

One `Forge` is one host that this deployment knows; `Forges` finds the one for a repository's URL.
GitHub, GitLab and a plain git server that offers nothing but git are three implementations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal, Protocol

from shared.domain.errors import Rejected, Unavailable

type ForgeKind = Literal["github", "gitlab", "git"]
type PullState = Literal["open", "closed", "merged"]


class ForgeRefused(Rejected):
    """The host understood and said no; the message is its reason, in a sentence."""


class ForgeLimited(Unavailable):
    """The host wants fewer requests; `retry_after` is in seconds, None when it did not say."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Access(StrEnum):
    READ = "read"
    WRITE = "write"
    WORK = "work"
    """To read pull requests, issues and checks as well: what the host's own tool is for."""


@dataclass(frozen=True, slots=True)
class Credential:
    """For git over HTTPS. `expires_at` None: it does not expire by itself."""

    username: str
    password: str
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class ForgeRepository:
    """`url` is what git clones, without anybody's name or password in it."""

    url: str
    full_name: str
    description: str
    default_branch: str
    private: bool
    archived: bool


@dataclass(frozen=True, slots=True)
class Branch:
    name: str
    commit: str


@dataclass(frozen=True, slots=True)
class PullRequest:
    """`number` is the host's own in that repository; `updated_at` is the host's clock."""

    number: int
    url: str
    state: PullState
    draft: bool
    title: str
    head: str
    base: str
    head_commit: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class NewPullRequest:
    title: str
    body: str
    head: str
    base: str
    draft: bool = False


@dataclass(frozen=True, slots=True)
class PullRequestChange:
    """None: it stays as it is."""

    title: str | None = None
    body: str | None = None


class Forge(Protocol):
    """Every method raises `Unavailable` (of which `ForgeLimited`) when nothing can be said now."""

    @property
    def kind(self) -> ForgeKind: ...

    def repositories(self) -> Sequence[ForgeRepository]:
        """All that this deployment may use there; empty where the host has no such list."""
        ...

    def repository(self, url: str) -> ForgeRepository:
        """Raises `NotFound` when it is not there, or not for us."""
        ...

    def branches(self, url: str) -> Sequence[Branch]:
        """Raises `NotFound`."""
        ...

    def credential(self, urls: Sequence[str], access: Access) -> Credential | None:
        """Good for these repositories and no other; None: git needs none. Raises `NotFound`."""
        ...

    def forget_credentials(self, urls: Sequence[str]) -> None:
        """The host no longer takes what was given for these: the next is to be a new one."""
        ...

    def create_pull_request(
        self, url: str, new: NewPullRequest, *, token: str | None
    ) -> PullRequest:
        """As the person whose token it is, else as the deployment where the host allows that.

        Raises `Conflict` when an open one has this head and base already, `Unauthenticated` when
        the host does not take the token (any more), `ForgeRefused`.
        """
        ...

    def open_pull_request(self, url: str, head: str, base: str | None) -> PullRequest | None:
        """The open one of that head branch (and base, where one is given)."""
        ...

    def update_pull_request(
        self, url: str, number: int, change: PullRequestChange, *, token: str | None
    ) -> PullRequest:
        """Raises `NotFound`, `Unauthenticated` as for creating, `ForgeRefused`."""
        ...

    def pull_request(self, url: str, number: int) -> PullRequest:
        """As it is there now. Raises `NotFound`."""
        ...

    def pull_requests(self, url: str, since: datetime) -> Sequence[PullRequest]:
        """All that changed since then, of branches of the repository itself. Raises `NotFound`."""
        ...

    def label(self, url: str, number: int, label: str) -> None:
        """Safe to repeat. Raises `ForgeRefused`."""
        ...

    def manual_link(self, url: str, *, head: str, base: str) -> str | None:
        """The page on which a person opens the pull request; None: the host has no such page."""
        ...


class KnownForge(Forge, Protocol):
    """One that has been told to this deployment."""

    @property
    def host(self) -> str:
        """As people know it: `github.com`."""
        ...


class Forges(Protocol):
    def of(self, url: str) -> Forge:
        """Raises `Invalid` for an address that this deployment does not go to."""
        ...

    def all(self) -> Sequence[KnownForge]: ...
