"""Repositories and their branches at GitHub."""

from collections.abc import Sequence
from typing import Any

from shared.adapters.github.access import AsUs, Headers
from shared.adapters.github.installation import READ_CONTENTS, READ_METADATA
from shared.adapters.github.places import Place
from shared.adapters.github.rest import bearer
from shared.adapters.rest import Call
from shared.app.ports.forges import Branch, ForgeRepository

_PAGE = {"per_page": "100"}


def every_repository(us: AsUs, web_url: str) -> Sequence[ForgeRepository]:
    if us.installations is None:
        return []
    found: dict[str, ForgeRepository] = {}
    for installation in us.installations.all():
        token = us.installations.token(installation, [], READ_METADATA).token
        call = Call(
            method="GET", path="/installation/repositories", headers=bearer(token), query=_PAGE
        )
        for page in us.rest.pages(call):
            for one in page["repositories"]:
                repository = to_repository(one, web_url)
                found[repository.url] = repository
    return sorted(found.values(), key=lambda repository: repository.full_name.lower())


def one_repository(us: AsUs, place: Place, web_url: str) -> ForgeRepository:
    def act(headers: Headers) -> Any:
        return us.rest.ask(Call(method="GET", path=place.path, headers=headers)).content

    return to_repository(us.run(place, READ_METADATA, act), web_url)


def branches(us: AsUs, place: Place) -> Sequence[Branch]:
    def act(headers: Headers) -> Sequence[Branch]:
        call = Call(method="GET", path=f"{place.path}/branches", headers=headers, query=_PAGE)
        return [
            Branch(one["name"], one["commit"]["sha"])
            for page in us.rest.pages(call)
            for one in page
        ]

    return us.run(place, READ_CONTENTS, act)


def to_repository(said: Any, web_url: str) -> ForgeRepository:
    return ForgeRepository(
        url=f"{web_url}/{said['full_name']}.git",
        full_name=said["full_name"],
        description=said["description"] or "",
        default_branch=said.get("default_branch") or "main",
        private=said["private"],
        archived=bool(said.get("archived")),
    )
