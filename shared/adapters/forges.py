"""Which code host a repository is at: those that this deployment knows, and any git server."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.adapters import addresses
from shared.adapters.github.app import GitHubApp
from shared.adapters.github.forge import GitHubForge
from shared.adapters.gitlab import GitLabForge
from shared.adapters.plain_git import PlainGit
from shared.app.ports.forges import Forge, KnownForge
from shared.app.ports.workspace import Secrets
from shared.settings import Settings


class OwningForge(KnownForge, Protocol):
    def owns(self, url: str) -> bool:
        """Raises `Invalid`."""
        ...


@dataclass(frozen=True, slots=True)
class KnownForges:
    known: Sequence[OwningForge]
    others: PlainGit

    def of(self, url: str) -> Forge:
        for forge in self.known:
            if forge.owns(url):
                return forge
        addresses.check_scheme(url, loopback=self.others.loopback)
        if not self.others.loopback:
            addresses.check(url, self.others.found_by)
        return self.others

    def all(self) -> Sequence[KnownForge]:
        return self.known

    def check(self, url: str) -> None:
        """The port `Repositories`."""
        self.of(url).repository(url)


def forges(given: Settings, secrets: Secrets, clock: Callable[[], datetime]) -> KnownForges:
    git = PlainGit(given.loopback)
    app = GitHubApp(given.github_app_id, secrets, clock)
    github = GitHubForge.at(given.github_url, given.github_api_url, app, git)
    gitlab = [GitLabForge.at(given.gitlab_url, secrets, clock)] if given.gitlab_url else []
    return KnownForges([github, *gitlab], git)
