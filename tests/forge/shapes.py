"""What GitHub's answers look like: its own examples, with our repositories in them.

Where an example breaks the schema that it illustrates, it is mended here.
"""

from typing import Any

from tests.forge.published import published
from tests.forge.state import GitHub, Issued, Person, Repository


def installation(github: GitHub, owner: str) -> Any:
    shape = published().example("installation")
    number = github.installations[owner]
    # of an account, the schema of the list wants what an enterprise has, too
    when = "2026-01-01T00:00:00Z"
    enterprise = {"name": owner, "slug": owner, "created_at": when, "updated_at": when}
    account = {**shape["account"], **enterprise, "login": owner}
    return {
        **shape,
        "account": account,
        "id": number,
        "app_id": int(github.app_id),
        "permissions": {**github.granted},
        "suspended_at": None,
    }


def token(token: str, issued: Issued) -> Any:
    selected = "all" if issued.repositories is None else "selected"
    return {
        "token": token,
        "expires_at": issued.expires_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "permissions": dict(issued.permissions),
        "repository_selection": selected,
    }


def repository(one: Repository, web_url: str) -> Any:
    """As a list has it."""
    shape = published().example("repository-paginated-2")["repositories"][0]
    return {**shape, **_about(one, web_url)}


def full_repository(one: Repository, web_url: str) -> Any:
    shape = published().example("full-repository-default-response")
    for left_out in ("source", "parent", "template_repository"):
        shape.pop(left_out, None)
    return {**shape, "language": None, **_about(one, web_url)}


def branch(name: str, commit: str) -> Any:
    return {
        "name": name,
        "commit": {"sha": commit, "url": f"https://api.github.com/commits/{commit}"},
        "protected": False,
    }


def pull(state: dict[str, Any], *, simple: bool = False) -> Any:
    """`state` has what is ours of it."""
    if simple:
        shape = published().example("pull-request-simple-items")[0]
    else:
        shape = published().example("pull-request")
        shape["merged"] = state["merged_at"] is not None
    head, base = (
        {**shape[side], "ref": state[side], "sha": state[f"{side}_commit"]}
        for side in ("head", "base")
    )
    if state.get("of_fork"):
        head["repo"] = {**head["repo"], "id": head["repo"]["id"] + 1}
    ours = {name: value for name, value in state.items() if not name.endswith("_commit")}
    return {**shape, **ours, "head": head, "base": base, "requested_teams": []}


def person(one: Person) -> Any:
    shape = published().example("private-user-response-with-public-and-private-profile-information")
    number = sum(one.login.encode())
    return {**shape, "login": one.login, "id": number, "name": one.name, "email": None}


def emails(one: Person) -> Any:
    return [
        {"email": email, "primary": not index, "verified": True, "visibility": None}
        for index, email in enumerate(one.emails)
    ]


def membership(organization: str) -> Any:
    shape = published().example("org-membership")
    return {
        **shape,
        "state": "active",
        "organization": {**shape["organization"], "login": organization},
    }


def reference(name: str, commit: str) -> Any:
    shape = published().example("git-ref")
    return {**shape, "ref": f"refs/{name}", "object": {**shape["object"], "sha": commit}}


def labels(names: list[str]) -> Any:
    shape = published().example("label-items")[0]
    return [{**shape, "name": name} for name in names]


def _about(one: Repository, web_url: str) -> dict[str, Any]:
    return {
        "id": one.number,
        "name": one.name,
        "full_name": one.full_name,
        "description": one.description or None,
        "private": one.private,
        "archived": False,
        "default_branch": one.default_branch,
        "html_url": f"{web_url}/{one.full_name}",
        "clone_url": f"{web_url}/{one.full_name}.git",
    }


def app() -> Any:
    return published().example("integration")
