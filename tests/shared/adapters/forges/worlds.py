"""Code hosts for the contract: each with its own way to have things and to fail."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

import urllib3

from shared.adapters.github.app import GitHubApp
from shared.adapters.github.forge import GitHubForge
from shared.adapters.gitlab import GitLabForge
from shared.adapters.plain_git import PlainGit
from shared.adapters.rest import Rest
from shared.app.ports.forges import Forge
from tests.fakes.forges import FakeForge
from tests.fakes.vendors import FakeSecrets
from tests.forge import pulls
from tests.forge.gitlab import OURS, GitLab
from tests.forge.hosting import APP_ID, Hosted
from tests.forge.state import Person
from tests.forge.troubles import Wire

PERSONS_TOKEN = "ghu_adas-own"
ADA = Person("ada", "Ada Example", ["ada@example.com"], frozenset({"team"}))


class ForgeWorld(Protocol):
    @property
    def forge(self) -> Forge: ...

    def has(
        self,
        full_name: str,
        branches: Sequence[str] = ("main",),
        **about: Any,
    ) -> str:
        """`private`, `installed` (for us to use) and `description`. Returns the URL."""
        ...

    def merge(self, url: str, number: int) -> None: ...

    def close(self, url: str, number: int) -> None: ...

    def body_of(self, url: str, number: int) -> str: ...

    def lose_answer(self) -> None: ...


@dataclass(frozen=True, slots=True)
class FakeWorld:
    forge: FakeForge = field(default_factory=lambda: FakeForge(known_tokens={PERSONS_TOKEN}))

    def has(self, full_name: str, branches: Sequence[str] = ("main",), **about: Any) -> str:
        return self.forge.has(full_name, branches, **about)

    def merge(self, url: str, number: int) -> None:
        self.forge.merge(url, number)

    def close(self, url: str, number: int) -> None:
        self.forge.close(url, number)

    def body_of(self, url: str, number: int) -> str:
        return self.forge.bodies[self.forge.pull_request(url, number).url]

    def lose_answer(self) -> None:
        self.forge.lose_answer()


@dataclass(frozen=True, slots=True)
class GitHubWorld:
    hosted: Hosted
    forge: GitHubForge

    @classmethod
    def on(cls, hosted: Hosted, *, app_id: str = APP_ID) -> Self:
        hosted.github.knows(PERSONS_TOKEN, ADA)
        secrets = FakeSecrets({**hosted.secrets()})
        clock = lambda: hosted.github.clock()  # noqa: E731, PLW0108  tests move it
        app = GitHubApp(app_id, secrets, clock)
        forge = GitHubForge.at(hosted.url, hosted.api_url, app, PlainGit(loopback=True))
        _be_impatient(forge.us.rest)
        return cls(hosted, forge)

    def has(self, full_name: str, branches: Sequence[str] = ("main",), **about: Any) -> str:
        self.hosted.github.has(full_name, branches, **about)
        return f"{self.hosted.url}/{full_name}.git"

    def merge(self, url: str, number: int) -> None:
        pulls.merge(self._repository(url), number, self.hosted.github.clock())

    def close(self, url: str, number: int) -> None:
        pulls.close(self._repository(url), number, self.hosted.github.clock())

    def body_of(self, url: str, number: int) -> str:
        return pulls.numbered(self._repository(url), str(number))["body"]

    def lose_answer(self) -> None:
        self.hosted.github.troubles.order(Wire.LOST, at="/pulls")

    def _repository(self, url: str):
        name = url.removeprefix(f"{self.hosted.url}/").removesuffix(".git").lower()
        return self.hosted.github.repositories[name]


class GitLabWorld:
    def __init__(self, gitlab: GitLab) -> None:
        self.gitlab = gitlab
        gitlab.people[PERSONS_TOKEN] = "ada"
        self.forge = GitLabForge.at(
            gitlab.url, FakeSecrets({"GITLAB_TOKEN": OURS}), lambda: gitlab.now
        )

    def has(self, full_name: str, branches: Sequence[str] = ("main",), **about: Any) -> str:
        return self.gitlab.has(full_name, branches, **about)

    def merge(self, url: str, number: int) -> None:
        self._change(url, number, "merged")

    def close(self, url: str, number: int) -> None:
        self._change(url, number, "closed")

    def body_of(self, url: str, number: int) -> str:
        name = url.removeprefix(f"{self.gitlab.url}/").removesuffix(".git")
        return self.gitlab.projects[name].requests[number - 1]["description"]

    def lose_answer(self) -> None:
        self.gitlab.troubles.order(Wire.LOST, at="/merge_requests")

    def _change(self, url: str, number: int, state: str) -> None:
        name = url.removeprefix(f"{self.gitlab.url}/").removesuffix(".git")
        self.gitlab.projects[name].requests[number - 1]["state"] = state


def _be_impatient(rest: Rest) -> None:
    """What never comes is not waited for; what comes does in time."""
    rest._pool.connection_pool_kw["timeout"] = urllib3.Timeout(connect=5, read=2)
