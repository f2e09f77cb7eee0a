"""Pull requests as GitHub keeps them: what is ours of each; `shapes` adds the rest."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from tests.forge.callers import Refused
from tests.forge.state import Repository


def create(repository: Repository, body: Any, web_url: str, now: datetime) -> dict[str, Any]:
    branches = repository.branches()
    for side in ("head", "base"):
        if body[side] not in branches:
            raise Refused(422, "Validation Failed", f"{side} is invalid")
    for one in repository.pulls:
        if (one["state"], one["head"], one["base"]) == ("open", body["head"], body["base"]):
            said = f"A pull request already exists for {repository.owner}:{body['head']}."
            raise Refused(422, "Validation Failed", said)
    number = len(repository.pulls) + 1
    made = {
        "number": number,
        "state": "open",
        "title": body["title"],
        "body": body.get("body"),
        "draft": body.get("draft", False),
        "html_url": f"{web_url}/{repository.full_name}/pull/{number}",
        "head": body["head"],
        "base": body["base"],
        "head_commit": branches[body["head"]],
        "base_commit": branches[body["base"]],
        "merged_at": None,
        "closed_at": None,
        "updated_at": _instant(now),
    }
    repository.pulls.append(made)
    return made


def matching(repository: Repository, query: Mapping[str, str]) -> Sequence[dict[str, Any]]:
    state = query.get("state", "open")
    head, base = query.get("head"), query.get("base")
    found = [
        one
        for one in repository.pulls
        if state in {"all", one["state"]}
        and head in {None, f"{repository.owner}:{one['head']}"}
        and base in {None, one["base"]}
    ]
    if query.get("sort") == "updated":
        found.sort(key=lambda one: one["updated_at"], reverse=query.get("direction") == "desc")
    return found


def numbered(repository: Repository, number: str) -> dict[str, Any]:
    for one in repository.pulls:
        if str(one["number"]) == number:
            return one
    raise Refused(404, "Not Found")


def change(one: dict[str, Any], body: Any, now: datetime) -> None:
    one.update(body, updated_at=_instant(now))


def label(repository: Repository, number: int, names: Sequence[str]) -> list[str]:
    for name in names:
        if (number, name) not in repository.labels:
            repository.labels.append((number, name))
    return [name for one, name in repository.labels if one == number]


def merge(repository: Repository, number: int, now: datetime) -> None:
    """Somebody does, on the page."""
    one = numbered(repository, str(number))
    instant = _instant(now)
    one.update(state="closed", merged_at=instant, closed_at=instant, updated_at=instant)


def close(repository: Repository, number: int, now: datetime) -> None:
    change(numbered(repository, str(number)), {"state": "closed", "closed_at": _instant(now)}, now)


def _instant(now: datetime) -> str:
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")
