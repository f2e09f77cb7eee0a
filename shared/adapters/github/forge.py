"""The port `Forge`, by GitHub."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self
from urllib.parse import quote, urlsplit

from shared.adapters.github import repositories
from shared.adapters.github.access import AsUs
from shared.adapters.github.app import GitHubApp
from shared.adapters.github.installation import (
    READ_CONTENTS,
    READ_METADATA,
    WRITE_CONTENTS,
    Installations,
    InstallationToken,
)
from shared.adapters.github.places import Place, place
from shared.adapters.github.pulls import Pulls
from shared.adapters.github.rest import rest
from shared.adapters.plain_git import PlainGit
from shared.adapters.rest import on_host
from shared.app.ports.forges import (
    Access,
    Branch,
    Credential,
    ForgeKind,
    ForgeRepository,
    NewPullRequest,
    PullRequest,
    PullRequestChange,
)
from shared.domain.errors import NotFound

_PERMISSIONS = {Access.READ: READ_CONTENTS, Access.WRITE: WRITE_CONTENTS}


@dataclass(frozen=True, slots=True)
class GitHubForge:
    web_url: str
    us: AsUs
    git: PlainGit

    @classmethod
    def at(
        cls,
        web_url: str,
        api_url: str,
        app: GitHubApp,
        git: PlainGit,
    ) -> Self:
        """An app without an id is none: then it is what anybody sees who has not signed in."""
        api = rest(api_url, app.clock)
        installations = Installations(api, app, app.clock) if app.app_id else None
        return cls(web_url.rstrip("/"), AsUs(api, installations), git)

    @property
    def kind(self) -> ForgeKind:
        return "github"

    @property
    def host(self) -> str:
        return urlsplit(self.web_url).netloc

    def owns(self, url: str) -> bool:
        return on_host(url, self.web_url)

    def repositories(self) -> Sequence[ForgeRepository]:
        return repositories.every_repository(self.us, self.web_url)

    def repository(self, url: str) -> ForgeRepository:
        one = place(url)
        try:
            self.us.token([one], READ_METADATA)
        except NotFound as missing:
            return self._in_public(url, missing)
        return repositories.one_repository(self.us, one, self.web_url)

    def branches(self, url: str) -> Sequence[Branch]:
        one = place(url)
        try:
            self.us.token([one], READ_CONTENTS)
        except NotFound as missing:
            self._in_public(url, missing)
            return self.git.branches(url)
        return repositories.branches(self.us, one)

    def credential(self, urls: Sequence[str], access: Access) -> Credential | None:
        places = sorted({place(url) for url in urls})
        try:
            given = self._token(places, access)
        except NotFound as missing:
            if access is not Access.READ:
                raise
            for url in urls:
                self._in_public(url, missing)
            return None
        return Credential("x-access-token", given.token, given.expires_at)

    def _token(self, places: Sequence[Place], access: Access) -> InstallationToken:
        if access is Access.WORK:
            return self.us.working_token(places)
        return self.us.token(places, _PERMISSIONS[access])

    def forget_credentials(self, urls: Sequence[str]) -> None:
        if self.us.installations:
            self.us.installations.forget([place(url) for url in urls])

    def _in_public(self, url: str, missing: NotFound) -> ForgeRepository:
        """As git sees it: the API allows nobody in particular very few requests."""
        try:
            return self.git.repository(url)
        except NotFound:
            raise NotFound(str(missing)) from None

    def create_pull_request(
        self, url: str, new: NewPullRequest, *, token: str | None
    ) -> PullRequest:
        return Pulls(self.us).create(place(url), new, token)

    def open_pull_request(self, url: str, head: str, base: str | None) -> PullRequest | None:
        return Pulls(self.us).find(place(url), head, base)

    def update_pull_request(
        self, url: str, number: int, change: PullRequestChange, *, token: str | None
    ) -> PullRequest:
        return Pulls(self.us).update(place(url), number, change, token)

    def pull_request(self, url: str, number: int) -> PullRequest:
        return Pulls(self.us).get(place(url), number)

    def pull_requests(self, url: str, since: datetime) -> Sequence[PullRequest]:
        return Pulls(self.us).changed(place(url), since)

    def label(self, url: str, number: int, label: str) -> None:
        Pulls(self.us).label(place(url), number, label)

    def manual_link(self, url: str, *, head: str, base: str) -> str | None:
        compared = f"{quote(base, safe='/')}...{quote(head, safe='/')}"
        return f"{self.web_url}/{place(url).full_name}/compare/{compared}?expand=1"
