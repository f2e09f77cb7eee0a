"""Sessions on several repositories and on none, over HTTP."""

from typing import Any

import pytest

from tests import build
from tests.functions.test_http_api import Answer, Api

TOOL, SITE = build.repository("tool").url, build.repository("site").url


def opened(api: Api, *urls: str, **fields: Any) -> Answer:
    repositories = [{"url": url} for url in urls]
    return api.ask("POST", "/sessions", {"requestId": "r1", "repositories": repositories} | fields)


def names(answer: Answer) -> list[str]:
    return [repository["name"] for repository in answer.body["repositories"]]


def choose_sandboxes(api: Api, url: str | None, minutes: int) -> None:
    asked = {"settings": {"inactivitySeconds": minutes * 60}, "version": None}
    if url is None:
        api.ask("PUT", "/settings/sandbox", asked)
    else:
        api.ask("PUT", "/settings/sandbox/repository", asked, url=url)


def test_a_session_keeps_the_order_of_its_repositories():
    api = Api()

    answer = opened(api, TOOL, SITE)

    assert (answer.status, names(answer)) == (201, ["tool", "site"])
    assert names(api.ask("GET", f"/sessions/{answer.body['id']}")) == ["tool", "site"]


def test_a_session_without_a_repository_takes_prompts_and_is_found_by_its_words():
    api = Api()
    session = opened(api).body["id"]

    api.submit(session, text="Fix it, please")

    [found] = api.ask("GET", "/sessions", query="fix").body["sessions"]
    assert (found["id"], found["repositories"], found["branch"]) == (session, [], None)
    assert found["title"] == "Fix it, please"
    assert api.ask("GET", "/repositories").body == {"repositories": []}
    [row] = api.ask("GET", "/inbox").body["inProgress"]
    assert row["session"]["id"] == session


def test_a_session_is_found_by_each_of_its_repositories():
    api = Api()
    session = opened(api, TOOL, SITE).body["id"]

    api.submit(session)

    for word in ("tool", "site"):
        [found] = api.ask("GET", "/sessions", query=word).body["sessions"]
        assert found["id"] == session


def test_all_repositories_of_a_session_are_remembered_once_it_was_asked_for_something():
    api = Api()

    api.submit(opened(api, TOOL, SITE).body["id"])

    known = api.ask("GET", "/repositories").body["repositories"]
    assert {repository["name"] for repository in known} == {"tool", "site"}


def test_no_repository_is_said_and_not_left_out():
    assert Api().ask("POST", "/sessions", {"requestId": "r1"}).body["field"] == "repositories"


@pytest.mark.parametrize("second", [TOOL, TOOL.removesuffix(".git"), TOOL.replace("acme", "my")])
def test_two_repositories_that_are_in_each_others_way_are_refused_by_their_field(second: str):
    api = Api()

    answer = opened(api, TOOL, second)

    assert (answer.status, answer.body["code"]) == (422, "invalid")
    assert answer.body["field"] == "repositories"


def test_one_that_nothing_answers_for_is_refused_among_others():
    api = Api()
    api.world.repositories.missing.add(SITE)

    answer = opened(api, TOOL, SITE)

    assert answer.status == 404
    assert SITE in answer.body["message"]


def test_another_choice_may_be_several_repositories_or_none_or_what_it_was():
    api = Api()
    session = opened(api, TOOL).body["id"]
    path = f"/sessions/{session}/choice"

    several = api.ask("PUT", path, {"repositories": [{"url": SITE}, {"url": TOOL}]})
    same = api.ask("PUT", path, {"repositories": None})
    none = api.ask("PUT", path, {"repositories": []})

    assert [names(answer) for answer in (several, same, none)] == [
        ["site", "tool"],
        ["site", "tool"],
        [],
    ]


def test_the_first_repositorys_settings_count_and_without_one_those_for_everything():
    api = Api()
    for url, minutes in ((None, 11), (TOOL, 22), (SITE, 33)):
        choose_sandboxes(api, url, minutes)

    several = opened(api, SITE, TOOL).body["settings"]
    none = opened(api, requestId="r2").body["settings"]

    assert (several["inactivitySeconds"], none["inactivitySeconds"]) == (33 * 60, 11 * 60)
