"""Two repositories in one session, two people who ask, two pull requests, each opened as its own.

The API's function stands on the adapter of GitHub here, and that on a stand-in which holds every
request and answer against GitHub's published description.
"""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from functions.http_api.handler import routes
from shared.adapters.forges import KnownForges
from shared.adapters.plain_git import PlainGit
from shared.app.app import App
from shared.domain.repository_url import directory
from shared.domain.session.state import Push, Repository, SessionId, UserId
from shared.edge.http.resolver import http
from tests import build
from tests.events import request
from tests.forge.hosting import hosting, needs_openapi
from tests.forge.state import Person
from tests.functions.test_http_api import CONTEXT
from tests.functions.test_http_pull_requests import with_forges
from tests.shared.adapters.forges.worlds import GitHubWorld
from tests.world import World

pytestmark = needs_openapi

SESSION = SessionId("s1")
NAMES = ("acme/tool", "acme/library")


class AtGitHub:
    """A session of both repositories whose branch is pushed in each; ada owns the deployment."""

    def __init__(self, github: GitHubWorld) -> None:
        self.github = github
        self.world = World()
        self.ada = self.world.owner()
        self.bob = self.world.app.accounts.add(self.ada[0], "bob")
        branches = ("main", f"outboard/{SESSION}")
        urls = [github.has(name, branches) for name in NAMES]
        target = tuple(Repository(url=url, name=directory(url)) for url in urls)
        pushes = tuple(Push(one.name, f"outboard/{SESSION}", "c1") for one in target)
        session = build.session(id=SESSION, target=target, pushes=pushes)
        self.world.app.store.create(session, "s1")
        self.app: App = with_forges(self.world.app, KnownForges([github.forge], PlainGit(True)))

    def knows(self, user: UserId, login: str) -> None:
        token = f"ghu_of-{login}"
        person = Person(login, login.title(), [f"{login}@example.com"], frozenset({"acme"}))
        self.github.hosted.github.knows(token, person)
        self.world.user_tokens.tokens[user, "github"] = token

    def open(self, by: tuple[Any, str], repository: str, **asked: Any) -> dict[str, Any]:
        body = {"repository": repository, "title": "Add a flag", **asked}
        event = request("POST", f"/sessions/{SESSION}/pull-requests", by[1], body)
        answer = http(routes, lambda: self.app)(event, CONTEXT)
        return {"status": answer["statusCode"], **json.loads(answer["body"])}

    def there(self, name: str) -> list[dict[str, Any]]:
        return self.github.hosted.github.repositories[name].pulls


@pytest.fixture
def at(tmp_path: Path) -> Generator[AtGitHub]:
    with hosting(tmp_path) as hosted:
        yield AtGitHub(GitHubWorld.on(hosted))


def test_two_people_open_two_pull_requests_each_in_their_own_name(at: AtGitHub):
    at.knows(at.ada[0].id, "ada")
    at.knows(at.bob[0].id, "bob")

    first = at.open(at.ada, "tool", body="Because.")
    second = at.open(at.bob, "library")

    assert [first["outcome"], second["outcome"]] == ["opened", "opened"]
    assert [pull["opened_by"] for pull in at.there("acme/tool")] == ["ada"]
    assert [pull["opened_by"] for pull in at.there("acme/library")] == ["bob"]
    page = "https://outboard.example.com/sessions/s1"
    assert at.there("acme/tool")[0]["body"] == f"Because.\n\n---\nOpened with [Outboard]({page})"


def test_the_second_call_comes_to_the_same_one(at: AtGitHub):
    at.knows(at.ada[0].id, "ada")

    first, again = at.open(at.ada, "tool"), at.open(at.ada, "tool", title="Two", body="More.")

    assert [first["outcome"], again["outcome"]] == ["opened", "updated"]
    assert len(at.there("acme/tool")) == 1
    assert at.there("acme/tool")[0]["title"] == "Two"


def test_without_a_token_of_theirs_a_person_gets_the_link(at: AtGitHub):
    offered = at.open(at.bob, "library")

    url = at.github.hosted.url
    assert offered["offer"]["url"].startswith(f"{url}/acme/library/compare/main...outboard")
    assert at.there("acme/library") == []


def test_a_lost_answer_and_another_call_make_one(at: AtGitHub):
    at.knows(at.ada[0].id, "ada")
    at.github.lose_answer()

    at.open(at.ada, "tool")
    again = at.open(at.ada, "tool")

    assert again["status"] == 200
    assert len(at.there("acme/tool")) == 1
