"""The HTTP API, from API Gateway's event to the answer."""

import base64
import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from functions.http_api.handler import routes
from shared.app.lives import Life
from shared.domain.session.commands import BecomeReady, Connect
from shared.domain.session.facts import BootPhase
from shared.domain.session.state import SessionId
from shared.edge.http.resolver import http
from tests import build
from tests.events import request, sample
from tests.shared.adapters.dynamodb.committing import stating
from tests.world import World

CONTEXT = SimpleNamespace(
    aws_request_id="r1",
    function_name="http_api",
    memory_limit_in_mb=512,
    invoked_function_arn="arn:aws:lambda:us-east-1:123456789012:function:http_api",
)
PROMPT = {
    "requestId": "p1",
    "text": "add a --version flag",
    "author": {"name": "Ada Example", "email": "ada@example.com"},
}
SESSION = {"requestId": "r1", "repositories": [{"url": build.repository().url}]}


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: dict[str, Any]


class Api:
    """The function on fakes, asked by the owner unless told otherwise."""

    def __init__(self) -> None:
        self.world = World()
        self.token = self.world.owner()[1]

    def ask(self, method: str, path: str, body: object = None, **query: str) -> Answer:
        return self.resolve(request(method, path, self.token, body, **query))

    def resolve(self, event: dict[str, Any]) -> Answer:
        answer = http(routes, lambda: self.world.app)(event, CONTEXT)
        return Answer(answer["statusCode"], json.loads(answer["body"]))

    def session(self, request_id: str = "r1") -> str:
        return self.ask("POST", "/sessions", SESSION | {"requestId": request_id}).body["id"]

    def submit(self, session: str, **changes: Any) -> Answer:
        return self.ask("POST", f"/sessions/{session}/prompts", {**PROMPT, **changes})


def test_a_session_is_created_from_the_sample_event():
    api = Api()

    answer = api.resolve(sample("http_api/create_session", TOKEN=api.token))

    assert answer.status == 201
    assert answer.body["status"] == "created"
    assert answer.body["demo"] is True
    assert answer.body["repositories"][0]["name"] == "tool"


def test_the_sample_list_shows_what_was_created():
    api = Api()
    session = api.session()
    api.submit(session)

    answer = api.resolve(sample("http_api/list_sessions", TOKEN=api.token))

    assert [row["id"] for row in answer.body["sessions"]] == [session]


def test_creating_twice_with_one_request_id_is_one_session():
    api = Api()

    assert api.session() == api.session()


def test_a_request_id_with_other_content_is_a_conflict():
    api = Api()
    api.session()

    answer = api.ask("POST", "/sessions", {**SESSION, "title": "another"})

    assert (answer.status, answer.body["code"]) == (409, "conflict")


def test_a_prompt_is_accepted_and_its_repetition_is_the_same_prompt():
    api = Api()
    session = api.session()

    first, second = api.submit(session), api.submit(session)

    assert (first.status, first.body) == (202, {"number": 1, "position": 0})
    assert second.body["number"] == 1


def test_the_same_request_id_with_another_text_is_a_conflict():
    api = Api()
    session = api.session()
    api.submit(session)

    answer = api.submit(session, text="something else")

    assert (answer.status, answer.body["code"]) == (409, "conflict")


def test_a_prompt_of_64000_characters_comes_back_whole():
    api = Api()
    session = api.session()
    text = "é" * 64_000
    api.submit(session, text=text)

    listed = api.ask("GET", f"/sessions/{session}/prompts").body["prompts"][0]
    whole = api.ask("GET", f"/sessions/{session}/prompts/1").body

    assert len(listed["text"]) < 2_000
    assert whole["text"] == text


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"text": "x" * 64_001}, "text"),
        ({"text": ""}, "text"),
        ({"text": "  \n"}, "text"),
        ({"author": {"name": "Ada", "email": "no address"}}, "author.email"),
        ({"requestId": "has space"}, "requestId"),
        ({"model": "openai/unheard-of"}, "model"),
        ({"effort": "gigantic"}, "effort"),
        ({"surprise": 1}, "surprise"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_bad_input_names_the_field_and_loses_nothing(changes: dict[str, Any], field: str):
    api = Api()
    session = api.session()

    answer = api.submit(session, **changes)

    assert answer.status == 422
    assert answer.body["code"] == "invalid"
    assert answer.body["field"] == field
    assert api.submit(session).status == 202


def test_the_51st_unfinished_prompt_is_refused():
    api = Api()
    session = api.session()
    accepted = [api.submit(session, requestId=f"p{n}").status for n in range(50)]

    answer = api.submit(session, requestId="p50")

    assert accepted == [202] * 50
    assert (answer.status, answer.body["code"]) == (409, "rejected")


def test_a_body_that_is_no_json_is_refused():
    api = Api()

    answer = api.ask("POST", "/sessions", "{nonsense")

    assert answer.status == 422


def test_an_unknown_repository_is_said_before_anything_is_started():
    api = Api()
    api.world.repositories.missing.add(build.repository().url)

    answer = api.ask("POST", "/sessions", SESSION)

    assert (answer.status, answer.body["code"]) == (404, "not_found")
    assert api.ask("GET", "/sessions").body["sessions"] == []


@pytest.mark.parametrize("token", ["", "wrong"])
def test_nobody_gets_in_without_a_token(token: str):
    api = Api()
    api.token = token

    answer = api.ask("GET", "/sessions")

    assert (answer.status, answer.body["code"]) == (401, "unauthenticated")


def test_an_unknown_session_is_not_found():
    answer = Api().ask("GET", "/sessions/nowhere")

    assert (answer.status, answer.body["code"]) == (404, "not_found")


def test_an_address_with_nothing_at_it_is_not_found():
    answer = Api().ask("GET", "/nothing")

    assert (answer.status, answer.body["code"]) == (404, "not_found")


def test_a_session_is_renamed():
    api = Api()
    session = api.session()

    answer = api.ask("PATCH", f"/sessions/{session}", {"title": " better "})

    assert answer.body["title"] == "better"


def test_archive_is_refused_while_work_is_queued():
    api = Api()
    session = api.session()
    api.submit(session)

    answer = api.ask("POST", f"/sessions/{session}/archive")

    assert (answer.status, answer.body["code"]) == (409, "rejected")


def test_an_archived_session_leaves_the_list_takes_no_prompt_and_comes_back():
    api = Api()
    session = api.session()
    api.submit(session)
    api.ask("DELETE", f"/sessions/{session}/prompts/1")

    archived = api.ask("POST", f"/sessions/{session}/archive").body["status"]
    listed = api.ask("GET", "/sessions").body["sessions"]
    refused = api.submit(session, requestId="p2")
    restored = api.ask("POST", f"/sessions/{session}/unarchive").body["status"]

    assert (archived, listed, restored) == ("archived", [], "created")
    assert (refused.status, refused.body["code"]) == (409, "rejected")


def test_cancel_closes_what_is_unfinished_for_good():
    api = Api()
    session = api.session()
    api.submit(session)

    cancelled = api.ask("POST", f"/sessions/{session}/cancel").body
    prompts = api.ask("GET", f"/sessions/{session}/prompts").body["prompts"]

    assert (cancelled["status"], cancelled["unfinished"]) == ("cancelled", 0)
    assert [prompt["status"] for prompt in prompts] == ["cancelled"]
    assert api.submit(session, requestId="p2").status == 409


def test_a_queued_prompt_is_taken_back():
    api = Api()
    session = api.session()
    api.submit(session)
    api.submit(session, requestId="p2")

    answer = api.ask("DELETE", f"/sessions/{session}/prompts/2")

    assert answer.body["unfinished"] == 1


def test_a_running_prompt_is_stopped_not_taken_back():
    api = Api()
    session = api.session()
    api.submit(session)
    api.world.lives.launch(Life(SessionId(session), 1))
    for command in (Connect(1), BecomeReady(1)):
        api.world.app.sessions.handle(SessionId(session), command)

    refused = api.ask("DELETE", f"/sessions/{session}/prompts/1")
    stopped = api.ask("POST", f"/sessions/{session}/stop")

    assert refused.status == 409
    assert (stopped.status, stopped.body["running"]) == (200, 1)


def test_the_timeline_is_read_by_cursor():
    api = Api()
    session = api.session()
    api.submit(session)
    api.ask("PATCH", f"/sessions/{session}", {"title": "other"})

    whole = api.ask("GET", f"/sessions/{session}/timeline").body
    rest = api.ask("GET", f"/sessions/{session}/timeline", after="1").body

    assert [entry["seq"] for entry in whole["entries"]] == [1, 2]
    assert [entry["seq"] for entry in rest["entries"]] == [2]
    assert whole["tail"] == rest["tail"] == 2


def test_the_timeline_is_read_backwards_from_any_slot():
    api = Api()
    session = api.session()
    for number in range(4):
        api.ask("PATCH", f"/sessions/{session}", {"title": f"title {number}"})

    newest = api.ask("GET", f"/sessions/{session}/timeline", before="1000", limit="2").body
    older = api.ask("GET", f"/sessions/{session}/timeline", before="3", limit="2").body
    none = api.ask("GET", f"/sessions/{session}/timeline", before="1").body

    assert [entry["seq"] for entry in newest["entries"]] == [3, 4]
    assert [entry["seq"] for entry in older["entries"]] == [1, 2]
    assert (none["entries"], none["tail"]) == ([], 4)


def test_the_timeline_is_read_in_one_direction():
    api = Api()

    answer = api.ask("GET", f"/sessions/{api.session()}/timeline", before="3", after="1")

    assert (answer.status, answer.body["field"]) == (422, "before")


def test_a_session_is_found_by_words_and_by_its_lifecycle():
    api = Api()
    session = api.session()
    api.submit(session, text="Fix it, please")
    other = api.session("r2")
    api.submit(other, text="Fix that")
    api.ask("DELETE", f"/sessions/{other}/prompts/1")
    api.ask("POST", f"/sessions/{other}/archive")

    def found(**query: str) -> list[str]:
        return [row["id"] for row in api.ask("GET", "/sessions", **query).body["sessions"]]

    assert found(query="fix it, please") == [session]
    assert found(query="that") == []
    assert found(query="that", lifecycle="archived") == [other]
    assert set(found(query="ACME fix", lifecycle="all")) == {session, other}
    assert found(lifecycle="archived", status="active") == []


def test_a_session_that_nothing_was_asked_of_is_in_no_list():
    api = Api()
    session = api.session()

    assert api.ask("GET", "/sessions", lifecycle="all").body["sessions"] == []
    assert api.ask("GET", f"/sessions/{session}").status == 200


def test_a_socket_ticket_is_for_this_session_and_short():
    api = Api()
    session = api.session()

    answer = api.ask("POST", f"/sessions/{session}/socket-ticket")

    assert answer.status == 201
    assert answer.body["url"].startswith("wss://clients.example.com/live?ticket=obt_")


def test_the_owner_adds_a_user_who_may_not_add_another():
    api = Api()

    added = api.ask("POST", "/users", {"name": "grace"})
    api.token = added.body["token"]

    assert added.status == 201
    assert api.ask("GET", "/me").body["name"] == "grace"
    assert api.ask("POST", "/users", {"name": "mallory"}).status == 403


def test_a_renewed_token_kills_the_old_one():
    api = Api()

    renewed = api.ask("POST", "/users/ada/token").body["token"]

    assert api.ask("GET", "/me").status == 401
    api.token = renewed
    assert api.ask("GET", "/me").status == 200


def test_the_models_say_that_they_are_a_demo():
    answer = Api().ask("GET", "/models").body

    assert (answer["default"], answer["demo"]) == ("demo/scripted", True)


def test_artifacts_of_a_new_session_are_none():
    api = Api()

    assert api.ask("GET", f"/sessions/{api.session()}/artifacts").body == {"artifacts": []}


def test_the_last_boots_of_a_session_can_be_read_back():
    api = Api()
    session = api.session()
    api.submit(session)
    fact = BootPhase(phase="setup", status="failed", repository="tool", error="exit 3", tail="no")
    before = api.world.app.sessions.load(SessionId(session))
    api.world.ports.store.commit(stating(before, fact, frame=None))

    (boot,) = api.ask("GET", f"/sessions/{session}/boots").body["boots"]

    assert (boot["attempt"], boot["boot"], boot["readyAt"]) == (1, "fresh", None)
    assert boot["startedAt"] == "2026-01-02T03:04:05Z"
    assert boot["phases"] == [
        {
            "phase": "setup",
            "status": "failed",
            "repository": "tool",
            "elapsedMs": 0,
            "warning": None,
            "error": "exit 3",
            "outputTail": "no",
        }
    ]


@pytest.mark.parametrize("limit", ["0", "21", "x"])
def test_as_many_boots_as_nobody_can_show_are_refused(limit: str):
    api = Api()

    answer = api.ask("GET", f"/sessions/{api.session()}/boots", limit=limit)

    assert (answer.status, answer.body["field"]) == (422, "limit")


def test_openapi_describes_every_route_without_a_token():
    api = Api()
    api.token = ""

    described = api.ask("GET", "/openapi.json").body

    assert set(described["paths"]["/sessions/{session_id}/prompts"]) == {"get", "post"}
    assert "NewPrompt" in described["components"]["schemas"]


def test_something_that_fails_here_is_not_shown_to_the_caller():
    api = Api()
    session = api.session()
    api.world.memory.__dict__.clear()

    answer = api.ask("GET", f"/sessions/{session}")

    assert (answer.status, answer.body["code"]) == (500, "internal")
    assert "Error" not in answer.body["message"]


@pytest.mark.parametrize(
    ("body", "encoded", "content_type"),
    [
        ("[" * 100_000, False, "application/json"),
        ('{"requestId": ' + "9" * 5_000 + "}", False, "application/json"),
        (base64.b64encode(b"\xff\xfe{").decode(), True, "application/json"),
        ("%%%", True, "application/json"),
        ("{}", False, "text/plain"),
        ("x", False, "multipart/form-data"),
    ],
    ids=["deep", "a long number", "no text", "no base64", "no JSON type", "a form"],
)
def test_a_body_that_cannot_be_read_is_refused(body: str, encoded: bool, content_type: str):
    api = Api()
    event = request("POST", "/sessions", api.token, SESSION)
    event |= {"body": body, "isBase64Encoded": encoded}
    event["headers"]["content-type"] = content_type

    answer = api.resolve(event)

    assert (answer.status, answer.body["code"]) == (422, "invalid")


@pytest.mark.parametrize(
    "url",
    ["https://[::1/a.git", "https://ada:secret@git.example.com/a.git"],
    ids=["no URL", "a password in it"],
)
def test_a_url_that_is_none_or_tells_a_secret_is_refused(url: str):
    answer = Api().ask("POST", "/sessions", {"requestId": "r2", "repositories": [{"url": url}]})

    assert (answer.status, answer.body["field"]) == (422, "url")
    assert "secret" not in answer.body["message"]


@pytest.mark.parametrize("path", ["timeline?after", "prompts?after", "prompts/"])
def test_a_number_that_no_key_could_hold_is_refused(path: str):
    api = Api()
    what, _, name = path.partition("?")
    session, huge = api.session(), "9" * 1_100
    query = {name: huge} if name else {}

    answer = api.ask("GET", f"/sessions/{session}/{what}{'' if name else huge}", **query)

    assert (answer.status, answer.body["code"]) == (422, "invalid")
