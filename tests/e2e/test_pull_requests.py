"""Pull requests on a whole machine: real agents and real git, at a stand-in of GitHub."""

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.e2e.at_github import AtGitHub, Visitor, bash, no_reply, wants_pull_request
from tests.e2e.outside import Provider
from tests.e2e.searching import files, found
from tests.e2e.talk import Api, Talk
from tests.forge import hooks, pulls
from tests.forge.accounts import Accounts
from tests.forge.hosting import needs_openapi

pytestmark = needs_openapi

TITLE = {"title": "Again"}
SHORT = timedelta(seconds=30)
"""Nobody takes a token for good that ends so soon."""


@dataclass(frozen=True)
class Two:
    """A session of two repositories in which two people have asked for something each."""

    tool: str
    library: str
    adas: Talk
    bobs: Talk
    ended: list[str]


@pytest.fixture(scope="module")
def ada(at: AtGitHub) -> Visitor:
    return at.visitor("ada")


@pytest.fixture(scope="module")
def bob(at: AtGitHub) -> Visitor:
    return at.visitor("bob")


@pytest.fixture(scope="module")
def two(at: AtGitHub, ada: Visitor, bob: Visitor) -> Two:
    tool, library = at.has("acme/tool"), at.has("acme/library")
    adas = ada.open(tool, library)
    bobs = bob.joins(adas)
    first = adas.turn(bash("echo ada > tool/a.txt"), wants_pull_request("tool", "Add a"))
    second = bobs.turn(bash("echo bob > library/b.txt"), wants_pull_request("library", "Add b"))
    return Two(tool, library, adas, bobs, [first["status"], second["status"]])


@pytest.fixture(scope="module")
def app(at: AtGitHub) -> str:
    return at.has("acme/app")


@pytest.fixture(scope="module")
def alone(ada: Visitor, app: str) -> Talk:
    """A session of one repository."""
    return ada.open(app)


@pytest.fixture
def hasty_accounts(at: AtGitHub) -> Generator[Accounts]:
    """Whose tokens end at once."""
    accounts = at.hosted.accounts
    life, accounts.life = accounts.life, SHORT
    yield accounts
    accounts.life, accounts.refusing = life, False


@pytest.fixture
def owner(at: AtGitHub) -> Generator[Api]:
    """Of the machine, who has not signed in with GitHub."""
    with Api(at.machine) as asking:
        yield asking


def test_two_people_in_one_session_get_two_pull_requests_each_as_their_own(
    at: AtGitHub, ada: Visitor, bob: Visitor, two: Two
):
    told = two.adas.told()
    opened = [one for url in (two.tool, two.library) for one in at.pulls(url)]

    assert two.ended == ["completed", "completed"], told
    by = [(one["opened_by"], one["title"]) for one in opened]
    assert by == [("ada", "Add a"), ("bob", "Add b")], told
    for url, who in ((two.tool, ada), (two.library, bob)):
        commits = at.repository(url).git("log", "--format=%an <%ae>", f"main..{two.adas.branch}")
        assert commits == f"{who.person.name} <{no_reply(who)}>"
    shown = two.adas.get("/pull-requests")["pullRequests"]
    assert {one["repository"]: one["author"] for one in shown} == {"tool": "ada", "library": "bob"}


def test_asked_again_or_twice_at_once_there_is_one(at: AtGitHub, two: Two):
    again = two.bobs.post("pull-requests", {"repository": "tool", **TITLE})
    pulls.close(at.repository(two.tool), 1, _now(1))
    with ThreadPoolExecutor(2) as both:
        asked = {"repository": "tool", **TITLE}
        opening = [both.submit(talk.post, "pull-requests", asked) for talk in (two.adas, two.bobs)]
        outcomes = [each.result() for each in opening]

    assert (again["outcome"], again["pullRequest"]["number"]) == ("updated", 1)
    assert sorted(each["outcome"] for each in outcomes) == ["opened", "updated"]
    assert [each["pullRequest"]["number"] for each in outcomes] == [2, 2]
    assert [one["state"] for one in at.pulls(two.tool)] == ["closed", "open"]


def test_what_github_tells_is_shown_if_it_has_signed_it_and_nothing_turns_back(
    at: AtGitHub, two: Two
):
    library = at.repository(two.library)
    url = at.hosted.url
    opened = hooks.about(library, 1, url, "opened")
    pulls.merge(library, 1, _now(2))
    merged = hooks.about(library, 1, url, "closed")

    forged = at.deliver(merged, "somebody else's secret")
    before = _state(two.adas, "library")
    told = at.deliver(merged)
    after = _state(two.adas, "library")
    late = at.deliver(opened)

    assert (forged, told, late) == (401, 202, 202)
    assert (before, after, _state(two.adas, "library")) == ("open", "merged", "merged")


def test_git_in_a_sandbox_gets_at_the_sessions_repository_alone_and_nothing_is_written_down(
    at: AtGitHub, app: str, alone: Talk
):
    other = at.has("acme/other")

    ended = alone.turn(
        bash(f"git ls-remote {other}; git remote get-url --all --push origin; echo 1 > a.txt"),
        bash("cat .git/config ~/.gitconfig ~/.git-credentials; git ls-remote origin"),
    )

    assert ended["status"] == "completed", alone.told()
    refused, allowed = (event["output"] for event in alone.events("tool", status="completed"))
    assert "this is no repository of the session's" in refused
    assert f"\n{app}\n" in refused
    assert "refs/heads/main" in allowed
    assert "password" not in allowed
    alone.wait(lambda: alone.events("snapshot_saved"))
    assert at.hosted.github.minted
    of_sandboxes = at.machine.state / "sandboxes"
    its_own = of_sandboxes / "sandboxes" / Provider(at.machine).only(alone.id)
    assert found(at.hosted.github.minted, files(its_own)) == []
    assert found(at.hosted.github.minted, files(of_sandboxes / "layers")) == []


def test_when_a_token_dies_before_its_time_the_next_push_has_another(
    at: AtGitHub, app: str, alone: Talk
):
    at.hosted.github.tokens.clear()
    push = f"git push origin HEAD:refs/heads/{alone.branch}"

    ended = alone.turn(bash(f"git commit -q --allow-empty -m mine; {push}; echo 2 > b.txt"))

    assert (ended["status"], ended["error"]) == ("completed", None), alone.told()
    (said,) = (event["output"] for event in alone.events("tool", prompt=2, status="completed"))
    assert "Authentication failed" in said
    assert at.repository(app).git("show", f"{alone.branch}:b.txt") == "2"


def test_a_persons_token_is_renewed_and_where_that_is_refused_they_get_the_link(
    at: AtGitHub, app: str, alone: Talk, hasty_accounts: Accounts
):
    accounts = hasty_accounts
    carols = at.visitor("carol").joins(alone)
    before = accounts.refreshes

    opened = carols.post("pull-requests", TITLE)
    renewed = accounts.refreshes - before
    pulls.close(at.repository(app), 1, _now(1))
    accounts.refusing = True
    ended = carols.turn(wants_pull_request("app", "Once more"))

    assert (opened["outcome"], renewed) == ("opened", 1)
    assert at.pulls(app)[0]["opened_by"] == "carol"
    assert ended["status"] == "completed"
    (said,) = (event["output"] for event in carols.events("tool", prompt=3, status="completed"))
    assert f"so they open it themselves: {app}/compare/main...{alone.branch}" in said
    assert len(at.pulls(app)) == 1


def test_for_who_has_no_token_the_app_pushes_and_the_session_has_the_link(
    at: AtGitHub, app: str, alone: Talk, owner: Api
):
    owners = Talk(owner, alone.id)

    owners.turn(bash("echo 4 > d.txt"), wants_pull_request("app", "Mine"))

    assert at.repository(app).git("show", f"{alone.branch}:d.txt") == "4"
    assert {whose for name, whose in at.hosted.github.pushed if name == "acme/app"} == {
        "our own App"
    }
    links = [one for one in alone.get("/artifacts")["artifacts"] if "link" in one["kind"]]
    assert [one["url"] for one in links] == [f"{app}/compare/main...{alone.branch}?expand=1"]


def test_hooks_may_take_their_time_and_a_push_that_they_refuse_says_why(
    at: AtGitHub, app: str, alone: Talk
):
    slow = "sleep 2; echo checked with care >&2"
    here = f"echo '{slow}' > .git/hooks/pre-push; chmod +x .git/hooks/pre-push"
    push = f"git push origin HEAD:refs/heads/{alone.branch}"
    at.guard(app, slow)
    went = alone.turn(bash(f"{here}; git commit -q --allow-empty -m mine; {push}; echo 5 > e.txt"))
    at.guard(app, "echo GH006: Protected branch update failed for outboard >&2; exit 1")

    refused = alone.turn(bash("echo 6 > f.txt"))

    assert (went["status"], went["error"]) == ("completed", None)
    (said,) = (event["output"] for event in alone.events("tool", prompt=5, status="completed"))
    assert said.count("checked with care") == 2
    assert refused["status"] == "failed"
    assert "GH006: Protected branch update failed" in refused["error"]
    assert at.repository(app).git("show", f"{alone.branch}:e.txt") == "5"


def _now(minutes: int) -> datetime:
    """Later than what happened here, as the host's clock has it in seconds only."""
    return datetime.now(UTC) + timedelta(minutes=minutes)


def _state(talk: Talk, repository: str) -> str:
    shown: list[dict[str, Any]] = talk.get("/pull-requests")["pullRequests"]
    return next(one["state"] for one in shown if one["repository"] == repository)
