"""The port `Forge`, by GitHub."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self
from urllib.parse import quote

from shared.adapters.github import repositories
from shared.adapters.github.access import AsUs
from shared.adapters.github.app import GitHubApp
from shared.adapters.github.installation import READ_CONTENTS, WRITE_CONTENTS, Installations
from shared.adapters.github.places import Place, on_host, place
from shared.adapters.github.pulls import Pulls
from shared.adapters.github.rest import rest
from shared.app.ports.forges import (
    Access,
    Branch,
    Credential,
    ForgeKind,
    ForgeRepository,
    NewPullRequest,
    PullRequest,
)
from shared.app.ports.workspace import Secrets
from shared.domain.errors import NotFound

_PERMISSIONS = {Access.READ: READ_CONTENTS, Access.WRITE: WRITE_CONTENTS}


@dataclass(frozen=True, slots=True)
class GitHubForge:
    web_url: str
    us: AsUs

    @classmethod
    def at(
        cls,
        web_url: str,
        api_url: str,
        app_id: str,
        secrets: Secrets,
        clock: Callable[[], datetime],
    ) -> Self:
        """Without an `app_id` it is what anybody sees of GitHub, who has not signed in."""
        api = rest(api_url, clock)
        app = GitHubApp(app_id, secrets, clock)
        return cls(
            web_url.rstrip("/"), AsUs(api, Installations(api, app, clock) if app_id else None)
        )

    @property
    def kind(self) -> ForgeKind:
        return "github"

    def owns(self, url: str) -> bool:
        return on_host(url, self.web_url)

    def repositories(self) -> Sequence[ForgeRepository]:
        return repositories.every_repository(self.us, self.web_url)

    def repository(self, url: str) -> ForgeRepository:
        return repositories.one_repository(self.us, place(url), self.web_url)

    def branches(self, url: str) -> Sequence[Branch]:
        return repositories.branches(self.us, place(url))

    def credential(self, urls: Sequence[str], access: Access) -> Credential | None:
        places = sorted({place(url) for url in urls})
        try:
            given = self.us.token(places, _PERMISSIONS[access])
        except NotFound:
            if access is Access.READ and self._all_public(places):
                return None
            raise
        return Credential("x-access-token", given.token, given.expires_at)

    def _all_public(self, places: Sequence[Place]) -> bool:
        """Raises `NotFound`."""
        found = [repositories.one_repository(self.us, one, self.web_url) for one in places]
        return not any(repository.private for repository in found)

    def create_pull_request(
        self, url: str, new: NewPullRequest, *, token: str | None
    ) -> PullRequest:
        return Pulls(self.us).create(place(url), new, token)

    def open_pull_request(self, url: str, head: str, base: str | None) -> PullRequest | None:
        return Pulls(self.us).find(place(url), head, base)

    def update_pull_request(
        self, url: str, number: int, *, title: str, body: str, token: str | None
    ) -> PullRequest:
        return Pulls(self.us).update(place(url), number, {"title": title, "body": body}, token)

    def pull_request(self, url: str, number: int) -> PullRequest:
        return Pulls(self.us).get(place(url), number)

    def label(self, url: str, number: int, label: str) -> None:
        Pulls(self.us).label(place(url), number, label)

    def manual_link(self, url: str, *, head: str, base: str) -> str | None:
        compared = f"{quote(base, safe='/')}...{quote(head, safe='/')}"
        return f"{self.web_url}/{place(url).full_name}/compare/{compared}?expand=1"
