"""GitLab, by one access token of the deployment: of a group or of a bot's account."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Any, Self
from urllib.parse import quote, urlencode, urlsplit

from shared.adapters.gitlab_merge_requests import DRAFT, is_own, to_pull, to_repository, writable
from shared.adapters.gitlab_tokens import ProjectTokens
from shared.adapters.rest import Answer, Call, Rest, on_host, seconds
from shared.app.ports.forges import (
    Access,
    Branch,
    Credential,
    ForgeKind,
    ForgeLimited,
    ForgeRepository,
    NewPullRequest,
    PullRequest,
    PullRequestChange,
)
from shared.app.ports.workspace import Secrets
from shared.domain.errors import Invalid, NotFound, Unauthenticated, Unavailable
from shared.domain.repository_url import key

IN_SECRETS = "GITLAB_TOKEN"

_PAGE = {"per_page": "100"}
_MEMBERS = {"membership": "true", "min_access_level": "20", "order_by": "id", **_PAGE}


@dataclass(frozen=True, slots=True)
class GitLabForge:
    web_url: str
    rest: Rest
    secrets: Secrets
    clock: Callable[[], datetime]
    tokens: ProjectTokens

    @classmethod
    def at(cls, web_url: str, secrets: Secrets, clock: Callable[[], datetime]) -> Self:
        web_url = web_url.rstrip("/")
        agent = {"accept": "application/json", "user-agent": "outboard"}
        rest = Rest("GitLab", f"{web_url}/api/v4", agent, _limited)
        return cls(web_url, rest, secrets, clock, ProjectTokens())

    @property
    def kind(self) -> ForgeKind:
        return "gitlab"

    @property
    def host(self) -> str:
        return urlsplit(self.web_url).netloc

    def owns(self, url: str) -> bool:
        return on_host(url, self.web_url)

    def repositories(self) -> Sequence[ForgeRepository]:
        call = Call(method="GET", path="/projects", headers=self._ours(), query=_MEMBERS)
        found = [to_repository(one) for page in self._pages(call) for one in page]
        return sorted(found, key=lambda repository: repository.full_name.lower())

    def repository(self, url: str) -> ForgeRepository:
        return to_repository(self._ask("GET", url))

    def branches(self, url: str) -> Sequence[Branch]:
        path = f"{self._project(url)}/repository/branches"
        call = Call(method="GET", path=path, headers=self._ours(), query=_PAGE)
        found = [one for page in self._pages(call) for one in page]
        return [Branch(one["name"], one["commit"]["id"]) for one in found]

    def credential(self, urls: Sequence[str], access: Access) -> Credential | None:
        """A token of that one project, which GitLab makes; the deployment's own stays here."""
        if len(urls) != 1:
            raise Invalid("urls", "one credential is for one project")
        (url,) = urls
        project = self._ask("GET", url)
        if access is not Access.READ and not writable(project):
            raise NotFound("this deployment's token of GitLab may not push to this project")
        if access is Access.READ and project["visibility"] == "public":
            return None

        def mint(body: Any) -> str:
            return self._ask("POST", url, "/access_tokens", body=body)["token"]

        return self.tokens.of(self._path(url), access, self.clock(), mint)

    def forget_credentials(self, urls: Sequence[str]) -> None:
        for url in urls:
            self.tokens.forget(self._path(url))

    def create_pull_request(
        self, url: str, new: NewPullRequest, *, token: str | None
    ) -> PullRequest:
        body = {
            "title": f"{DRAFT if new.draft else ''}{new.title}",
            "description": new.body,
            "source_branch": new.head,
            "target_branch": new.base,
        }
        return to_pull(self._ask("POST", url, "/merge_requests", body=body, token=token))

    def open_pull_request(self, url: str, head: str, base: str | None) -> PullRequest | None:
        query = {"state": "opened", "source_branch": head}
        if base is not None:
            query["target_branch"] = base
        found = self._ask("GET", url, "/merge_requests", query=query)
        return to_pull(found[0]) if found else None

    def update_pull_request(
        self, url: str, number: int, change: PullRequestChange, *, token: str | None
    ) -> PullRequest:
        changed: dict[str, str] = {}
        if change.title is not None:
            # its title alone says that it is a draft
            draft = self.pull_request(url, number).draft
            changed["title"] = f"{DRAFT if draft else ''}{change.title}"
        if change.body is not None:
            changed["description"] = change.body
        below = f"/merge_requests/{number}"
        return to_pull(self._ask("PUT", url, below, body=changed, token=token))

    def pull_request(self, url: str, number: int) -> PullRequest:
        return to_pull(self._ask("GET", url, f"/merge_requests/{number}"))

    def pull_requests(self, url: str, since: datetime) -> Sequence[PullRequest]:
        path = f"{self._project(url)}/merge_requests"
        query = {**_PAGE, "updated_after": since.isoformat()}
        call = Call(method="GET", path=path, headers=self._ours(), query=query)
        found = [one for page in self._pages(call) for one in page]
        return [to_pull(one) for one in found if is_own(one)]

    def label(self, url: str, number: int, label: str) -> None:
        self._ask("PUT", url, f"/merge_requests/{number}", body={"add_labels": label})

    def manual_link(self, url: str, *, head: str, base: str) -> str | None:
        chosen = {
            "merge_request[source_branch]": head,
            "merge_request[target_branch]": base,
        }
        page = f"{self.web_url}/{self._path(url)}/-/merge_requests/new"
        return f"{page}?{urlencode(chosen)}"

    def _ask(
        self,
        method: str,
        url: str,
        below: str = "",
        *,
        body: Any = None,
        query: Mapping[str, str] | None = None,
        token: str | None = None,
    ) -> Any:
        path = f"{self._project(url)}{below}"
        headers = _bearer(token) if token is not None else self._ours()
        call = Call(method=method, path=path, headers=headers, body=body, query=query or {})
        try:
            return self.rest.ask(call).content
        except Unauthenticated:
            if token is not None:
                raise
            raise Unavailable("GitLab does not take this deployment's token") from None

    def _pages(self, call: Call) -> Sequence[Any]:
        try:
            return list(self.rest.pages(call))
        except Unauthenticated:
            raise Unavailable("GitLab does not take this deployment's token") from None

    def _project(self, url: str) -> str:
        return f"/projects/{quote(self._path(url), safe='')}"

    def _path(self, url: str) -> str:
        """Groups may be in groups: a project's path has two parts or more. Raises `Invalid`."""
        below = urlsplit(key(url)).path.removeprefix(urlsplit(self.web_url).path).strip("/")
        if "/" not in below or "/-/" in f"{below}/":
            raise Invalid("url", f"{url!r} does not name a project: it ends in GROUP/NAME")
        return below

    def _ours(self) -> Mapping[str, str]:
        return _bearer(self._token())

    def _token(self) -> str:
        if token := self.secrets.all().get(IN_SECRETS):
            return token
        raise Unavailable(f"this deployment has no {IN_SECRETS} among its secrets")


def _bearer(token: str) -> Mapping[str, str]:
    return {"authorization": f"Bearer {token}"}


def _limited(answer: Answer) -> ForgeLimited | None:
    if answer.status != HTTPStatus.TOO_MANY_REQUESTS:
        return None
    after = seconds(answer.headers.get("retry-after"))
    return ForgeLimited("GitLab wants fewer requests from us for a while", after)
