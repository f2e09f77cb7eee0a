"""Pull requests at GitHub."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any

from shared.adapters.github.access import AsUs, Headers
from shared.adapters.github.installation import READ_PULLS, WRITE_PULLS
from shared.adapters.github.places import Place
from shared.adapters.github.rest import bearer
from shared.adapters.rest import Call
from shared.app.ports.forges import (
    ForgeRefused,
    NewPullRequest,
    PullRequest,
    PullRequestChange,
    PullState,
)
from shared.domain.errors import Conflict

_THERE_ALREADY = "already exists"


@dataclass(frozen=True, slots=True)
class Pulls:
    us: AsUs

    def create(self, place: Place, new: NewPullRequest, token: str | None) -> PullRequest:
        body = {
            "title": new.title,
            "body": new.body,
            "head": new.head,
            "base": new.base,
            "draft": new.draft,
        }
        try:
            return to_pull(self._ask("POST", place, "/pulls", body=body, token=token))
        except ForgeRefused as refused:
            if _THERE_ALREADY in str(refused):
                raise Conflict(f"there is a pull request of {new.head} already") from refused
            raise

    def find(self, place: Place, head: str, base: str | None) -> PullRequest | None:
        query = {"state": "open", "head": f"{place.owner}:{head}", "per_page": "100"}
        if base is not None:
            query["base"] = base
        found = self._ask("GET", place, "/pulls", query=query)
        pulls = [to_pull(one) for one in found]
        return next((pull for pull in pulls if pull.head == head), None)

    def get(self, place: Place, number: int) -> PullRequest:
        return to_pull(self._ask("GET", place, f"/pulls/{number}"))

    def changed(self, place: Place, since: datetime) -> Sequence[PullRequest]:
        newest_first = {"state": "all", "sort": "updated", "direction": "desc", "per_page": "100"}

        def act(headers: Headers) -> Sequence[PullRequest]:
            path = f"{place.path}/pulls"
            call = Call(method="GET", path=path, headers=headers, query=newest_first)
            said = (one for page in self.us.rest.pages(call) for one in page)
            newer = takewhile(lambda one: datetime.fromisoformat(one["updated_at"]) >= since, said)
            return [to_pull(one) for one in newer if _is_own(one)]

        return self.us.run(place, READ_PULLS, act)

    def update(
        self, place: Place, number: int, change: PullRequestChange, token: str | None
    ) -> PullRequest:
        given = {"title": change.title, "body": change.body}
        body = {name: value for name, value in given.items() if value is not None}
        return to_pull(self._ask("PATCH", place, f"/pulls/{number}", body=body, token=token))

    def label(self, place: Place, number: int, label: str) -> None:
        self._ask("POST", place, f"/issues/{number}/labels", body={"labels": [label]})

    def _ask(
        self,
        method: str,
        place: Place,
        below: str,
        *,
        body: Any = None,
        query: Mapping[str, str] | None = None,
        token: str | None = None,
    ) -> Any:
        def act(headers: Headers) -> Any:
            path = f"{place.path}{below}"
            call = Call(method=method, path=path, headers=headers, body=body, query=query or {})
            return self.us.rest.ask(call).content

        if token is not None:
            return act(bearer(token))
        return self.us.run(place, READ_PULLS if method == "GET" else WRITE_PULLS, act)


def to_pull(said: Any) -> PullRequest:
    return PullRequest(
        number=said["number"],
        url=said["html_url"],
        state=_state(said),
        draft=bool(said.get("draft")),
        title=said["title"],
        head=said["head"]["ref"],
        base=said["base"]["ref"],
        head_commit=said["head"]["sha"],
        updated_at=datetime.fromisoformat(said["updated_at"]),
    )


def _is_own(said: Any) -> bool:
    """Whether its branch is in the repository itself: anybody may name a fork's as they like."""
    fork = said["head"].get("repo")
    return fork is not None and fork["id"] == said["base"]["repo"]["id"]


def _state(said: Any) -> PullState:
    if said.get("merged_at"):
        return "merged"
    return "open" if said["state"] == "open" else "closed"
