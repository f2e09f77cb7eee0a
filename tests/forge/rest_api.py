"""The calls of GitHub's REST API that we use, each as far as we use it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.forge import pulls, shapes
from tests.forge.callers import App, Caller, Nobody, Refused, demand, visible
from tests.forge.state import LEVELS, GitHub, Issued, Person, Repository


@dataclass(frozen=True, slots=True)
class Asked:
    github: GitHub
    who: Caller
    given: Mapping[str, str]
    """What the path says."""
    query: Mapping[str, str]
    body: Any
    web_url: str

    def repository(self) -> Repository:
        return visible(self.github, self.who, f"{self.given['owner']}/{self.given['repo']}")

    def as_app(self) -> None:
        if not isinstance(self.who, App):
            raise Refused(401, "A JSON web token could not be decoded")

    def as_person(self) -> Person:
        if not isinstance(self.who, Person):
            raise Refused(401, "Requires authentication")
        return self.who


def app(asked: Asked) -> Any:
    asked.as_app()
    return {**shapes.app(), "id": int(asked.github.app_id)}


def installations(asked: Asked) -> Any:
    asked.as_app()
    return [shapes.installation(asked.github, owner) for owner in asked.github.installations]


def installation(asked: Asked) -> Any:
    asked.as_app()
    full_name = f"{asked.given['owner']}/{asked.given['repo']}".lower()
    repository = asked.github.repositories.get(full_name)
    if repository is None or not repository.installed:
        raise Refused(404, "Not Found")
    return shapes.installation(asked.github, repository.owner)


def access_token(asked: Asked) -> Any:
    asked.as_app()
    number = int(asked.given["installation_id"])
    owners = [name for name, one in asked.github.installations.items() if one == number]
    if not owners:
        raise Refused(404, "Not Found")
    body = asked.body or {}
    names = body.get("repositories")
    for name in names or []:
        repository = asked.github.repositories.get(f"{owners[0]}/{name}".lower())
        if repository is None or not repository.installed:
            raise Refused(422, "There is at least one repository that does not exist or is not ...")
    permissions = body.get("permissions", {"contents": "write", "pull_requests": "write"})
    granted = asked.github.granted
    if any(
        LEVELS.index(level) > LEVELS.index(granted.get(name, "none"))
        for name, level in permissions.items()
    ):
        raise Refused(422, "The permissions requested are not granted to this installation.")
    return shapes.token(*asked.github.issue(owners[0], names, permissions))


def installed_repositories(asked: Asked) -> Any:
    if not isinstance(asked.who, Issued):
        raise Refused(403, "You must authenticate with an installation access token")
    return [
        shapes.repository(one, asked.web_url)
        for one in asked.github.repositories.values()
        if asked.who.covers(one)
    ]


def repository(asked: Asked) -> Any:
    return shapes.full_repository(asked.repository(), asked.web_url)


def branches(asked: Asked) -> Any:
    found = asked.repository()
    demand(asked.who, found, "contents", "read")
    return [shapes.branch(*pair) for pair in sorted(found.branches().items())]


def reference(asked: Asked) -> Any:
    found = asked.repository()
    demand(asked.who, found, "contents", "read")
    name = asked.given["ref"]
    commit = found.branches().get(name.removeprefix("heads/"))
    if commit is None:
        raise Refused(404, "Not Found")
    return shapes.reference(name, commit)


def list_pulls(asked: Asked) -> Any:
    found = asked.repository()
    demand(asked.who, found, "pull_requests", "read")
    return [shapes.pull(one, simple=True) for one in pulls.matching(found, asked.query)]


def create_pull(asked: Asked) -> Any:
    found = asked.repository()
    demand(asked.who, found, "pull_requests", "write")
    made = pulls.create(found, asked.body, asked.web_url, asked.github.clock())
    made["opened_by"] = asked.who.login if isinstance(asked.who, Person) else "our own App"
    return shapes.pull(made)


def get_pull(asked: Asked) -> Any:
    found = asked.repository()
    demand(asked.who, found, "pull_requests", "read")
    return shapes.pull(pulls.numbered(found, asked.given["pull_number"]))


def change_pull(asked: Asked) -> Any:
    found = asked.repository()
    demand(asked.who, found, "pull_requests", "write")
    one = pulls.numbered(found, asked.given["pull_number"])
    pulls.change(one, asked.body, asked.github.clock())
    return shapes.pull(one)


def add_labels(asked: Asked) -> Any:
    found = asked.repository()
    demand(asked.who, found, "pull_requests", "write")
    one = pulls.numbered(found, asked.given["issue_number"])
    return shapes.labels(pulls.label(found, one["number"], asked.body["labels"]))


def user(asked: Asked) -> Any:
    return shapes.person(asked.as_person())


def emails(asked: Asked) -> Any:
    return shapes.emails(asked.as_person())


def membership(asked: Asked) -> Any:
    if isinstance(asked.who, Nobody) or asked.given["org"] not in asked.as_person().organizations:
        raise Refused(404, "Not Found")
    return shapes.membership(asked.given["org"])


_REPOSITORY = "/repos/{owner}/{repo}"

ROUTES: Mapping[tuple[str, str], tuple[int, Callable[[Asked], Any]]] = {
    ("get", "/app"): (200, app),
    ("get", "/app/installations"): (200, installations),
    ("post", "/app/installations/{installation_id}/access_tokens"): (201, access_token),
    ("get", "/installation/repositories"): (200, installed_repositories),
    ("get", _REPOSITORY): (200, repository),
    ("get", f"{_REPOSITORY}/installation"): (200, installation),
    ("get", f"{_REPOSITORY}/branches"): (200, branches),
    ("get", f"{_REPOSITORY}/git/ref/{{ref}}"): (200, reference),
    ("get", f"{_REPOSITORY}/pulls"): (200, list_pulls),
    ("post", f"{_REPOSITORY}/pulls"): (201, create_pull),
    ("get", f"{_REPOSITORY}/pulls/{{pull_number}}"): (200, get_pull),
    ("patch", f"{_REPOSITORY}/pulls/{{pull_number}}"): (200, change_pull),
    ("post", f"{_REPOSITORY}/issues/{{issue_number}}/labels"): (200, add_labels),
    ("get", "/user"): (200, user),
    ("get", "/user/emails"): (200, emails),
    ("get", "/user/memberships/orgs/{org}"): (200, membership),
}
