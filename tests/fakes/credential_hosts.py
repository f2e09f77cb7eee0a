"""Code hosts with manners: they remember what they were asked and fail when they are told to."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.app.ports.forges import (
    Access,
    Branch,
    Credential,
    Forge,
    ForgeKind,
    ForgeRefused,
    ForgeRepository,
    NewPullRequest,
    PullRequest,
)
from shared.domain.errors import NotFound


@dataclass
class CredentialHost:
    """Its credentials are numbered; `password` None: git needs none."""

    kind: ForgeKind = "git"
    password: str | None = None
    expires_at: datetime | None = None
    failure: Exception | None = None
    asked: list[tuple[tuple[str, ...], Access]] = field(
        default_factory=list[tuple[tuple[str, ...], Access]]
    )

    def repositories(self) -> Sequence[ForgeRepository]:
        return ()

    def repository(self, url: str) -> ForgeRepository:
        raise NotFound(url)

    def branches(self, url: str) -> Sequence[Branch]:
        raise NotFound(url)

    def credential(self, urls: Sequence[str], access: Access) -> Credential | None:
        self.asked.append((tuple(urls), access))
        if self.failure is not None:
            raise self.failure
        if self.password is None:
            return None
        return Credential("x-access-token", self.password, self.expires_at)

    def create_pull_request(
        self, url: str, new: NewPullRequest, *, token: str | None
    ) -> PullRequest:
        raise ForgeRefused("no pull requests here")

    def open_pull_request(self, url: str, head: str, base: str | None) -> PullRequest | None:
        return None

    def update_pull_request(
        self, url: str, number: int, *, title: str, body: str, token: str | None
    ) -> PullRequest:
        raise ForgeRefused("no pull requests here")

    def pull_request(self, url: str, number: int) -> PullRequest:
        raise NotFound(url)

    def label(self, url: str, number: int, label: str) -> None:
        raise ForgeRefused("no pull requests here")

    def manual_link(self, url: str, *, head: str, base: str) -> str | None:
        return None


@dataclass
class CredentialHosts:
    """`hosts` by the beginning of their repositories' URLs; `other` is every other one."""

    hosts: dict[str, CredentialHost] = field(default_factory=dict[str, CredentialHost])
    other: CredentialHost = field(default_factory=CredentialHost)

    def of(self, url: str) -> Forge:
        return next(
            (host for begin, host in self.hosts.items() if url.startswith(begin)), self.other
        )

    def all(self) -> Sequence[Forge]:
        return [*self.hosts.values(), self.other]
