"""Pull requests on a whole machine: real agents and real git, at a stand-in of GitHub."""

from collections.abc import Generator
from typing import Any

import pytest

from tests.e2e.at_github import AtGitHub, Visitor, machine_at_github, no_reply
from tests.forge.hosting import needs_openapi
from tests.model import Model

pytestmark = needs_openapi


@pytest.fixture(scope="session")
def at(model: Model, tmp_path_factory: pytest.TempPathFactory) -> Generator[AtGitHub]:
    with machine_at_github(tmp_path_factory.mktemp("at-github"), model, "ada,bob") as running:
        yield running


@pytest.fixture(scope="module")
def ada(at: AtGitHub) -> Visitor:
    return at.visitor("ada")


@pytest.fixture(scope="module")
def bob(at: AtGitHub) -> Visitor:
    return at.visitor("bob")


def bash(command: str) -> dict[str, Any]:
    call = {"name": "bash", "args": {"command": command, "description": "as asked"}}
    return {"tools": [call]}


def wants_pull_request(repository: str, title: str, body: str = "Why and how.") -> dict[str, Any]:
    """The agent's own tool; it has to name all of its arguments."""
    args = {"title": title, "body": body, "repository": repository, "base": "", "draft": False}
    return {"tools": [{"name": "outboard_pull_request", "args": args}]}


def test_two_people_in_one_session_get_two_pull_requests_each_as_their_own(
    at: AtGitHub, ada: Visitor, bob: Visitor
):
    tool, library = at.has("acme/tool"), at.has("acme/library")
    adas = ada.open(tool, library)
    bobs = bob.joins(adas)

    first = adas.turn(bash("echo ada > tool/a.txt"), wants_pull_request("tool", "Add a"))
    second = bobs.turn(bash("echo bob > library/b.txt"), wants_pull_request("library", "Add b"))

    assert [first["status"], second["status"]] == ["completed", "completed"], adas.told()
    opened = [(pull["opened_by"], pull["title"]) for pull in (*at.pulls(tool), *at.pulls(library))]
    assert opened == [("ada", "Add a"), ("bob", "Add b")], adas.told()
    for url, who in ((tool, ada), (library, bob)):
        told = at.repository(url).git("log", "--format=%an <%ae>", f"main..{adas.branch}")
        assert told == f"{who.person.name} <{no_reply(who)}>"
    shown = adas.get("/pull-requests")["pullRequests"]
    assert [(one["repository"], one["author"]) for one in shown] == [
        ("tool", "ada"),
        ("library", "bob"),
    ]
