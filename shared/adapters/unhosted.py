"""Every host is one that offers nothing but git, to whoever asks: no credentials, no pages."""

# ruff: noqa: ARG002  what it is asked makes no difference to it

from collections.abc import Sequence

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


class Unhosted:
    def of(self, url: str) -> Forge:
        return _NothingButGit()

    def all(self) -> Sequence[Forge]:
        return ()


class _NothingButGit:
    @property
    def kind(self) -> ForgeKind:
        return "git"

    def repositories(self) -> Sequence[ForgeRepository]:
        return ()

    def repository(self, url: str) -> ForgeRepository:
        raise _unknown(url)

    def branches(self, url: str) -> Sequence[Branch]:
        raise _unknown(url)

    def credential(self, urls: Sequence[str], access: Access) -> Credential | None:
        return None

    def create_pull_request(
        self, url: str, new: NewPullRequest, *, token: str | None
    ) -> PullRequest:
        raise _no_pull_requests()

    def open_pull_request(self, url: str, head: str, base: str | None) -> PullRequest | None:
        return None

    def update_pull_request(
        self, url: str, number: int, *, title: str, body: str, token: str | None
    ) -> PullRequest:
        raise _no_pull_requests()

    def pull_request(self, url: str, number: int) -> PullRequest:
        raise NotFound(f"{url} has no pull request {number}")

    def label(self, url: str, number: int, label: str) -> None:
        raise _no_pull_requests()

    def manual_link(self, url: str, *, head: str, base: str) -> str | None:
        return None


def _unknown(url: str) -> NotFound:
    return NotFound(f"nothing is known of {url} but what git says")


def _no_pull_requests() -> ForgeRefused:
    return ForgeRefused("this host has no pull requests")
