"""A git server that offers nothing but git: the first call of a clone says what is there."""

# ruff: noqa: ARG002  what it cannot do, it does not look at

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from http import HTTPStatus
from typing import Any
from urllib.parse import urljoin, urlsplit

import urllib3
from urllib3.exceptions import HTTPError

from shared.adapters import addresses
from shared.app.ports.forges import (
    Access,
    Branch,
    Credential,
    ForgeKind,
    ForgeRefused,
    ForgeRepository,
    NewPullRequest,
    PullRequest,
    PullRequestChange,
)
from shared.domain.errors import NotFound, Unavailable
from shared.domain.repository_url import key

_TIMEOUT = urllib3.Timeout(connect=5, read=10)
_ADVERTISEMENT = "application/x-git-upload-pack-advertisement"
_ASKED = "/info/refs?service=git-upload-pack"
_HEADS = "refs/heads/"
_REDIRECTS = 3
_MOST_BYTES = 16_000_000


@dataclass(frozen=True)
class PlainGit:
    """`loopback`: whether this deployment is one machine, which may ask itself."""

    loopback: bool
    found_by: addresses.Resolve = addresses.resolve

    @property
    def kind(self) -> ForgeKind:
        return "git"

    def repositories(self) -> Sequence[ForgeRepository]:
        return []

    def repository(self, url: str) -> ForgeRepository:
        lines = _lines(self._advertised(url))
        return ForgeRepository(
            url=url,
            full_name=urlsplit(key(url)).path.strip("/"),
            description="",
            default_branch=_default_branch(next(lines, "")),
            private=False,
            archived=False,
        )

    def branches(self, url: str) -> Sequence[Branch]:
        found = [line.partition("\0")[0].split(" ", 1) for line in _lines(self._advertised(url))]
        return [
            Branch(name.removeprefix(_HEADS), commit)
            for commit, name in found
            if name.startswith(_HEADS)
        ]

    def credential(self, urls: Sequence[str], access: Access) -> Credential | None:
        return None

    def forget_credentials(self, urls: Sequence[str]) -> None:
        pass  # none is kept

    def create_pull_request(
        self, url: str, new: NewPullRequest, *, token: str | None
    ) -> PullRequest:
        raise ForgeRefused(f"{url!r} is at a plain git server, which has no pull requests")

    def open_pull_request(self, url: str, head: str, base: str | None) -> PullRequest | None:
        return None

    def update_pull_request(
        self, url: str, number: int, change: PullRequestChange, *, token: str | None
    ) -> PullRequest:
        return self.pull_request(url, number)

    def pull_request(self, url: str, number: int) -> PullRequest:
        raise NotFound(f"{url!r} has no pull request {number}")

    def pull_requests(self, url: str, since: datetime) -> Sequence[PullRequest]:
        return []

    def label(self, url: str, number: int, label: str) -> None:
        raise ForgeRefused(f"{url!r} has no pull request {number} to label {label!r}")

    def manual_link(self, url: str, *, head: str, base: str) -> str | None:
        return None

    @cached_property
    def _pool(self) -> urllib3.PoolManager:
        settings: dict[str, Any] = {
            "timeout": _TIMEOUT,
            "retries": urllib3.Retry(2, redirect=False, status=False),
        }
        if self.loopback:
            return urllib3.PoolManager(**settings)
        return addresses.public_pool(self.found_by, **settings)

    def _advertised(self, url: str) -> bytes:
        """Raises `Invalid`, `NotFound` and `Unavailable`."""
        there = f"{url.rstrip('/')}{_ASKED}"
        for _ in range(_REDIRECTS):
            addresses.check_scheme(there, loopback=self.loopback)
            answer = self._ask(url, there)
            further = answer.get_redirect_location()
            if not further:
                return self._content(url, answer)
            answer.release_conn()
            there = urljoin(there, further)
        raise NotFound(f"{url!r} leads from one address to the next")

    def _ask(self, url: str, there: str) -> urllib3.BaseHTTPResponse:
        try:
            return self._pool.request("GET", there, preload_content=False, redirect=False)
        except HTTPError as error:
            raise Unavailable(f"{url!r} cannot be reached now") from error

    def _content(self, url: str, answer: urllib3.BaseHTTPResponse) -> bytes:
        busy = answer.status == HTTPStatus.TOO_MANY_REQUESTS
        if busy or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            answer.close()
            raise Unavailable(f"{url!r} answers {answer.status} now")
        if answer.headers.get("content-type", "") != _ADVERTISEMENT:
            answer.close()
            raise NotFound(f"no git repository that we may read answers at {url!r}")
        try:
            content = answer.read(_MOST_BYTES + 1, decode_content=True)
        except HTTPError as error:
            raise Unavailable(f"{url!r} stopped in the middle of its answer") from error
        answer.release_conn()
        if len(content) > _MOST_BYTES:
            answer.close()
            raise NotFound(f"{url!r} has more branches and tags than we read")
        return content


def _lines(content: bytes) -> Iterator[str]:
    """The refs of an advertisement, each `COMMIT NAME`; the first carries what the server can.

    Raises `Unavailable` where it ends too early.
    """
    at = 0
    while at < len(content):
        length = _length(content[at : at + 4])
        line = content[at + 4 : at + length]
        if length > len(content) - at:
            raise Unavailable("a git server's answer ends in the middle of a line")
        at += max(length, 4)
        if line and not line.startswith(b"#"):
            yield line.decode(errors="replace").rstrip("\n")


def _length(digits: bytes) -> int:
    try:
        return int(digits, 16)
    except ValueError:
        raise Unavailable("a git server's answer is none of git's") from None


def _default_branch(first: str) -> str:
    for ability in first.partition("\0")[2].split():
        if ability.startswith("symref=HEAD:"):
            return ability.removeprefix("symref=HEAD:").removeprefix(_HEADS)
    return "main"
