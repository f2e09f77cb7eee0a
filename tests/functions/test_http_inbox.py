"""The inbox, what people have read, and the repositories that are offered, over HTTP."""

from typing import Any

import pytest

from tests import build
from tests.functions.test_http_api import Api

URL = build.repository().url


def finished(api: Api) -> str:
    session = api.session()
    api.submit(session)
    api.ask("POST", f"/sessions/{session}/stop")
    return session


def lists(api: Api, **query: str) -> dict[str, list[str]]:
    body = api.ask("GET", "/inbox", **query).body
    return {
        name: [row["session"]["id"] for row in rows]
        for name, rows in body.items()
        if isinstance(rows, list)
    }


def add_user(api: Api, name: str) -> str:
    return api.ask("POST", "/users", {"name": name}).body["token"]


def test_an_inbox_has_all_that_a_sidebar_shows():
    api = Api()
    session = finished(api)

    body = api.ask("GET", "/inbox").body

    assert (body["inProgress"], body["recent"], body["more"]) == ([], [], False)
    [row] = body["needsAttention"]
    shown: dict[str, Any] = row["session"]
    assert row["unread"] is True
    assert (shown["id"], shown["title"]) == (session, "add a --version flag")
    assert (shown["status"], shown["outcome"]) == ("completed", "stopped")
    assert (shown["finished"], shown["running"]) == (1, None)
    assert shown["tokens"] == {"input": 0, "output": 0, "cached": 0}
    assert {"sandbox", "repositories", "updatedAt", "cost", "owner"} <= set(shown)


def test_reading_moves_a_session_for_whoever_reads():
    api = Api()
    session = finished(api)

    row = api.ask("PUT", f"/sessions/{session}/read", {"prompt": 1})
    again = api.ask("PUT", f"/sessions/{session}/read", {"prompt": 0})

    assert (row.status, row.body["unread"], again.body["unread"]) == (200, False, False)
    assert lists(api) == {"needsAttention": [], "inProgress": [], "recent": [session]}


def test_others_see_it_as_recent_and_not_as_theirs():
    api = Api()
    session = finished(api)
    api.token = add_user(api, "eve")

    everybodys, mine = lists(api), lists(api, mine="true")

    assert everybodys == {"needsAttention": [], "inProgress": [], "recent": [session]}
    assert mine == {"needsAttention": [], "inProgress": [], "recent": []}


def test_whoever_cancels_a_session_has_read_it_and_others_have_not():
    api = Api()
    session = finished(api)
    owner, api.token = api.token, add_user(api, "eve")
    api.submit(session, request_id="r9")
    api.ask("POST", f"/sessions/{session}/stop")

    owners = api.ask("POST", f"/sessions/{session}/cancel").status, lists(api)
    api.token = owner

    assert owners == (200, {"needsAttention": [], "inProgress": [], "recent": [session]})
    assert lists(api) == {"needsAttention": [session], "inProgress": [], "recent": []}
    assert api.ask("POST", f"/sessions/{session}/cancel").status == 200
    assert lists(api) == {"needsAttention": [], "inProgress": [], "recent": [session]}


def test_the_recent_ones_are_limited_and_the_rest_is_not():
    api = Api()
    session = finished(api)
    other = api.session("r2")
    api.submit(other)
    api.token = add_user(api, "eve")

    assert lists(api, limit="1")["inProgress"] == [other]
    assert lists(api, limit="1")["recent"] == [session]
    assert api.ask("GET", "/inbox", limit="101").status == 422


def test_participants_are_those_who_asked_or_looked():
    api = Api()
    session = finished(api)
    owner, api.token = api.token, add_user(api, "eve")
    api.ask("PUT", f"/sessions/{session}/read", {"prompt": 1})

    found = api.ask("GET", f"/sessions/{session}/participants").body["participants"]

    assert owner
    assert found == [
        {"user": "ada", "displayName": "ada", "prompts": 1, "lastSeenAt": "2026-01-02T03:04:05Z"},
        {"user": "eve", "displayName": "eve", "prompts": 0, "lastSeenAt": "2026-01-02T03:04:05Z"},
    ]


@pytest.mark.parametrize("path", ["read", "participants"])
def test_of_a_session_that_there_is_not_nothing_is_told(path: str):
    method, body = ("PUT", {"prompt": 1}) if path == "read" else ("GET", None)

    assert Api().ask(method, f"/sessions/nowhere/{path}", body).status == 404


@pytest.mark.parametrize("prompt", [-1, 10**7, "x", None])
def test_a_prompt_that_cannot_be_is_not_read(prompt: object):
    api = Api()

    assert api.ask("PUT", f"/sessions/{api.session()}/read", {"prompt": prompt}).status == 422


@pytest.mark.parametrize("path", ["/inbox", "/repositories", "/sessions/s1/participants"])
def test_nobody_looks_without_a_token(path: str):
    api = Api()
    api.token = "wrong"

    assert api.ask("GET", path).status == 401


def test_a_repository_is_offered_once_somebody_has_worked_on_it():
    api = Api()
    before = api.ask("GET", "/repositories").body
    session = api.session()
    opened = api.ask("GET", "/repositories").body

    api.submit(session)

    [known] = api.ask("GET", "/repositories").body["repositories"]
    assert before == opened == {"repositories": []}
    assert known == {
        "url": URL,
        "name": "tool",
        "label": URL,
        "branch": None,
        "usedAt": "2026-01-02T03:04:05Z",
    }


def test_a_repository_is_registered_under_a_name():
    api = Api()
    asked = {"url": URL, "label": "the tool", "branch": "dev"}

    added = api.ask("POST", "/repositories", asked)

    assert added.status == 201
    assert (added.body["label"], added.body["branch"]) == ("the tool", "dev")
    assert api.ask("GET", "/repositories").body == {"repositories": [added.body]}


def test_a_repository_that_nothing_answers_for_is_not_registered():
    api = Api()
    api.world.repositories.missing.add(URL)

    assert api.ask("POST", "/repositories", {"url": URL}).status == 404
    assert api.ask("GET", "/repositories").body == {"repositories": []}
