"""A code host in memory, with a host's manners: it can fail, and it can lose an answer."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from threading import Event
from urllib.parse import urlsplit

from shared.app.ports.forges import (
    Access,
    Branch,
    Credential,
    Forge,
    ForgeKind,
    ForgeRefused,
    ForgeRepository,
    KnownForge,
    NewPullRequest,
    PullRequest,
    PullRequestChange,
)
from shared.domain.errors import (
    Conflict,
    DomainError,
    Invalid,
    NotFound,
    Unauthenticated,
    Unavailable,
)
from shared.domain.repository_url import RepositoryKey, key

WHEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@dataclass(slots=True)
class Held:
    """What the host has of one repository."""

    about: ForgeRepository
    branches: dict[str, str] = field(default_factory=dict[str, str])
    pulls: list[PullRequest] = field(default_factory=list[PullRequest])
    labels: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])
    installed: bool = True


@dataclass(slots=True)
class Made:
    """A credential that was given, and for what."""

    urls: Sequence[str]
    access: Access
    credential: Credential


@dataclass(slots=True)
class FakeForge:
    """Of one host. `authors` are by pull request: the token it was made with, None for us."""

    web_url: str = "https://github.com"
    is_a: ForgeKind = "github"
    held: dict[RepositoryKey, Held] = field(default_factory=dict[RepositoryKey, Held])
    known_tokens: set[str] = field(default_factory=set[str])
    given: list[Made] = field(default_factory=list[Made])
    authors: dict[str, str | None] = field(default_factory=dict[str, str | None])
    bodies: dict[str, str] = field(default_factory=dict[str, str])
    now: datetime = WHEN
    keeps: bool = False
    """Gives the same again, until it is to forget it."""
    calls: list[str] = field(default_factory=list[str])
    _failures: list[DomainError] = field(default_factory=list[DomainError])
    _lost: int = 0
    _open: Event = field(default_factory=Event)
    _passwords: int = 0

    def has(
        self,
        full_name: str,
        branches: Sequence[str] = ("main",),
        *,
        private: bool = True,
        installed: bool = True,
        description: str = "",
    ) -> str:
        """Puts a repository there; the first branch is its default. Returns its URL."""
        url = f"{self.web_url}/{full_name}.git"
        about = ForgeRepository(url, full_name, description, branches[0], private, archived=False)
        commits = {name: f"{number:040x}" for number, name in enumerate(branches, 1)}
        self.held[key(url)] = Held(about, commits, installed=installed)
        return url

    def fail(self, *errors: DomainError) -> None:
        """The next calls, one each; nothing of them happens."""
        self._failures += errors

    def __post_init__(self) -> None:
        self._open.set()

    def hold(self) -> None:
        """Whoever asks waits, until `let_go`."""
        self._open.clear()

    def let_go(self) -> None:
        self._open.set()

    def lose_answer(self) -> None:
        """The next change happens, and nobody hears of it."""
        self._lost += 1

    def merge(self, url: str, number: int) -> None:
        """Somebody does, at the host."""
        held = self.held[key(url)]
        held.pulls[number - 1] = replace(held.pulls[number - 1], state="merged")

    def close(self, url: str, number: int) -> None:
        held = self.held[key(url)]
        held.pulls[number - 1] = replace(held.pulls[number - 1], state="closed")

    @property
    def kind(self) -> ForgeKind:
        return self.is_a

    @property
    def host(self) -> str:
        return urlsplit(self.web_url).netloc

    def owns(self, url: str) -> bool:
        return urlsplit(key(url)).netloc == urlsplit(self.web_url).netloc

    def repositories(self) -> Sequence[ForgeRepository]:
        self._arrive("repositories")
        return [held.about for held in self.held.values() if held.installed]

    def repository(self, url: str) -> ForgeRepository:
        self._arrive("repository")
        return self._seen(url).about

    def branches(self, url: str) -> Sequence[Branch]:
        self._arrive("branches")
        return [Branch(*pair) for pair in sorted(self._seen(url).branches.items())]

    def credential(self, urls: Sequence[str], access: Access) -> Credential | None:
        self._arrive("credential")
        if len({key(url).rpartition("/")[0] for url in urls}) != 1:
            raise Invalid("urls", "one credential is for repositories of one owner")
        found = [self._seen(url) for url in urls]
        if not all(held.installed for held in found):
            if access is not Access.READ or any(held.about.private for held in found):
                raise NotFound("we are not installed on all of these")
            return None
        for made in self.given if self.keeps else ():
            if (tuple(urls), access) == (made.urls, made.access):
                return made.credential
        self._passwords += 1
        password = f"ghs_{self._passwords - 1}"
        credential = Credential("x-access-token", password, self.now + timedelta(hours=1))
        self.given.append(Made(tuple(urls), access, credential))
        return credential

    def forget_credentials(self, urls: Sequence[str]) -> None:
        self.given.clear()

    def create_pull_request(
        self, url: str, new: NewPullRequest, *, token: str | None
    ) -> PullRequest:
        self._arrive("create_pull_request")
        held = self._changed(url, token)
        if missing := {new.head, new.base} - held.branches.keys():
            raise ForgeRefused(f"there is no branch {', '.join(sorted(missing))}")
        if any(_open(pull, new.head, new.base) for pull in held.pulls):
            raise Conflict("there is one already")
        pull = self._new(held, new)
        self.authors[pull.url] = token
        self.bodies[pull.url] = new.body
        held.pulls.append(pull)
        with self._answering():
            return pull

    def open_pull_request(self, url: str, head: str, base: str | None) -> PullRequest | None:
        self._arrive("open_pull_request")
        return next((pull for pull in self._seen(url).pulls if _open(pull, head, base)), None)

    def update_pull_request(
        self, url: str, number: int, change: PullRequestChange, *, token: str | None
    ) -> PullRequest:
        self._arrive("update_pull_request")
        held = self._changed(url, token)
        before = _numbered(held, number)
        changed = replace(before, title=change.title or before.title, updated_at=self.now)
        held.pulls[number - 1] = changed
        if change.body is not None:
            self.bodies[changed.url] = change.body
        with self._answering():
            return changed

    def pull_request(self, url: str, number: int) -> PullRequest:
        self._arrive("pull_request")
        return _numbered(self._seen(url), number)

    def pull_requests(self, url: str, since: datetime) -> Sequence[PullRequest]:
        self._arrive("pull_requests")
        return [pull for pull in self._seen(url).pulls if pull.updated_at >= since]

    def label(self, url: str, number: int, label: str) -> None:
        self._arrive("label")
        held = self._changed(url, None)
        held.labels.add((_numbered(held, number).number, label))
        with self._answering():
            return

    def manual_link(self, url: str, *, head: str, base: str) -> str | None:
        name = url.removeprefix(f"{self.web_url}/").removesuffix(".git")
        return f"{self.web_url}/{name}/compare/{base}...{head}?expand=1"

    def _new(self, held: Held, new: NewPullRequest) -> PullRequest:
        number = len(held.pulls) + 1
        return PullRequest(
            number=number,
            url=f"{self.web_url}/{held.about.full_name}/pull/{number}",
            state="open",
            draft=new.draft,
            title=new.title,
            head=new.head,
            base=new.base,
            head_commit=held.branches[new.head],
            updated_at=self.now,
        )

    def _arrive(self, call: str) -> None:
        self.calls.append(call)
        assert self._open.wait(60), "nobody has let it go"
        if self._failures:
            raise self._failures.pop(0)

    @contextmanager
    def _answering(self) -> Generator[None]:
        if self._lost:
            self._lost -= 1
            raise Unavailable("the answer was lost")
        yield

    def _seen(self, url: str) -> Held:
        held = self.held.get(key(url))
        if held is None or (held.about.private and not held.installed):
            raise NotFound(f"{url} is not there, or not for us")
        return held

    def _changed(self, url: str, token: str | None) -> Held:
        if token is not None and token not in self.known_tokens:
            raise Unauthenticated("this token is not known")
        held = self._seen(url)
        if token is None and not held.installed:
            raise ForgeRefused("we are not installed there")
        return held


@dataclass(slots=True)
class FakeForges:
    forges: Sequence[FakeForge] = field(default_factory=lambda: [FakeForge()])

    def of(self, url: str) -> Forge:
        for forge in self.forges:
            if forge.owns(url):
                return forge
        raise Invalid("url", f"this deployment does not go to {url!r}")

    def all(self) -> Sequence[KnownForge]:
        return self.forges


def _open(pull: PullRequest, head: str, base: str | None) -> bool:
    return pull.state == "open" and pull.head == head and base in {None, pull.base}


def _numbered(held: Held, number: int) -> PullRequest:
    if not 1 <= number <= len(held.pulls):
        raise NotFound(f"there is no pull request {number}")
    return held.pulls[number - 1]
