"""`/secrets`, from an event to the answer: values go in, and nothing brings them out."""

import json
from typing import Any

import pytest

from shared.app.lives import Life
from shared.app.ports.sealing import SecretsUnavailable
from shared.domain.session.state import SessionId
from shared.protocol.secrets import NewReading, NewSecrets
from tests import build
from tests.events import request
from tests.functions.test_http_api import Answer, Api

URL = build.repository().url
KEY = URL.removesuffix(".git")
CANARY = "canary-5d2f"
AT = "2026-01-02T03:04:05Z"


def put(api: Api, scope: str = "global", target: str | None = None, **body: Any) -> Answer:
    place = {"scope": scope} if target is None else {"scope": scope, "target": target}
    return api.ask("PUT", "/secrets", {**place, **body})


def names(answer: Answer) -> list[str]:
    return [secret["name"] for secret in answer.body["secrets"]]


def member(api: Api) -> str:
    return api.ask("POST", "/users", {"name": "bob"}).body["token"]


@pytest.mark.parametrize(
    ("scope", "target", "shown"),
    [
        ("global", None, None),
        ("repository", URL, KEY),
        ("repository", f"{KEY}?a=1,2", f"{KEY}?a=1,2"),
    ],
)
def test_what_is_set_is_listed_by_name(scope: str, target: str | None, shown: str | None):
    api = Api()
    query = {"scope": scope} if target is None else {"scope": scope, "target": target}

    answer = put(api, scope, target, values={"token": CANARY})

    assert answer.status == 200
    assert answer.body == {
        "scope": scope,
        "target": shown,
        "secrets": [{"name": "TOKEN", "updatedAt": AT, "updatedBy": "ada"}],
    }
    assert api.ask("GET", "/secrets", **query) == answer
    assert names(api.ask("DELETE", "/secrets/TOKEN", **query)) == []
    assert api.ask("DELETE", "/secrets/token", **query).status == 200


def environment(api: Api) -> str:
    asked = {"requestId": "e1", "name": "Shop", "repositories": [{"url": URL}]}
    return api.ask("POST", "/environments", asked).body["id"]


def test_an_environments_are_its_own_and_those_copied_to_it():
    api = Api()
    shop = environment(api)
    put(api, "repository", URL, values={"A": CANARY, "B": CANARY})
    put(api, "environment", shop, values={"C": CANARY})

    copied = api.ask(
        "POST", "/secrets/copy", {"environment": shop, "repository": URL, "names": ["A"]}
    )

    assert copied.status == 200
    assert (copied.body["scope"], copied.body["target"]) == ("environment", shop)
    assert names(copied) == ["A", "C"]
    assert api.ask("GET", "/secrets", scope="environment", target=shop) == copied


def test_there_is_nothing_to_set_for_an_environment_that_is_gone():
    api = Api()
    shop = environment(api)
    put(api, "environment", shop, values={"A": CANARY})
    api.ask("DELETE", f"/environments/{shop}")

    assert put(api, "environment", shop, values={"B": CANARY}).status == 404
    # Its sessions still get them, so they can still be looked at and taken back.
    assert names(api.ask("GET", "/secrets", scope="environment", target=shop)) == ["A"]
    assert names(api.ask("DELETE", "/secrets/A", scope="environment", target=shop)) == []


def test_a_pasted_file_is_read_here():
    api = Api()

    answer = put(api, text=f"export A={CANARY}\nB='two\nlines' # and so on\n")

    assert names(answer) == ["A", "B"]
    api.world.lives.launch(_waiting(api))
    assert CANARY in next(iter(api.world.machine().files.values())).decode()


def read(api: Api, text: str, scope: str = "global") -> Answer:
    target = {} if scope == "global" else {"target": URL}
    return api.ask("POST", "/secrets/reading", {"scope": scope, **target, "text": text})


def test_a_pasted_file_is_told_of_by_line_and_nothing_of_it_is_kept(
    caplog: pytest.LogCaptureFixture,
):
    api = Api()
    put(api, values={"A": "1"})

    answer = read(api, f"a={CANARY}\n\nB={CANARY}\nHOME={CANARY}\n{CANARY}\n")

    assert answer.status == 200
    assert answer.body["problem"] is None
    told = [tuple(line.values())[:3] for line in answer.body["lines"]]
    assert told == [(1, "A", True), (3, "B", False), (4, "HOME", False), (5, None, False)]
    problems = [line["problem"] for line in answer.body["lines"]]
    assert problems[:3] == [None, None, "this name is reserved"]
    assert problems[3].startswith("it is no NAME=value")
    assert CANARY not in json.dumps(answer.body) + caplog.text
    assert names(api.ask("GET", "/secrets", scope="global")) == ["A"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "there is no NAME=value in it"),
        ("# only this", "there is no NAME=value in it"),
        ("".join(f"N{n}=1\n" for n in range(50)), "these would be 51 secrets, and 50 are allowed"),
        ("".join(f"N{n}={'x' * 16_000}\n" for n in range(5)), "these would be 80001 bytes"),
        ("=\n" * 300, "there are 300 of them, and these are the first 200"),
        ("x" * 262_144 + "\U0001f511", None),
    ],
)
def test_what_is_wrong_with_a_pasted_file_as_a_whole_is_said(text: str, problem: str | None):
    api = Api()
    put(api, values={"THERE": "1"})

    answer = read(api, text)

    assert problem is None or answer.body["problem"].startswith(problem)
    assert answer.status == (422 if problem is None else 200)
    assert len(answer.body.get("lines", [])) <= 200


def test_only_who_may_set_them_is_told_what_a_file_would_set():
    api = Api()
    bob = member(api)

    def status(scope: str) -> int:
        target = {} if scope == "global" else {"target": URL}
        body = {"scope": scope, **target, "text": f"A={CANARY}"}
        return api.resolve(request("POST", "/secrets/reading", bob, body)).status

    assert (status("global"), status("repository")) == (403, 200)


def _waiting(api: Api) -> Life:

    session = api.session()
    api.submit(session)
    return Life(SessionId(session), 1)


def test_members_change_what_is_not_everybodys():
    api = Api()
    put(api, values={"A": "1"})
    bob = member(api)

    def ask(method: str, path: str, body: object = None, **query: str) -> Answer:
        return api.resolve(request(method, path, bob, body, **query))

    assert names(ask("GET", "/secrets", scope="global")) == ["A"]
    values = {"values": {"B": "2"}}
    assert ask("PUT", "/secrets", {"scope": "global", **values}).status == 403
    assert ask("DELETE", "/secrets/A", scope="global").status == 403
    assert ask("POST", "/secrets/rotate", {}).status == 403
    for scope, target in (("repository", URL), ("environment", environment(api))):
        body = {"scope": scope, "target": target, **values}
        assert ask("PUT", "/secrets", body).status == 200
        assert ask("DELETE", "/secrets/B", scope=scope, target=target).status == 200


def test_nobody_sees_or_changes_anything_without_signing_in():
    api = Api()

    for method, path, body in (
        ("GET", "/secrets", None),
        ("PUT", "/secrets", {"scope": "global", "values": {"A": CANARY}}),
        ("DELETE", "/secrets/A", None),
        ("POST", "/secrets/rotate", {}),
    ):
        answer = api.resolve(request(method, path, "nobodys", body, scope="global"))
        assert (answer.status, answer.body["code"]) == (401, "unauthenticated")


def test_the_owner_has_all_of_them_sealed_anew():
    api = Api()
    put(api, values={"A": "1"})
    put(api, "repository", URL, values={"B": "2"})
    before = _keys(api)

    every = api.ask("POST", "/secrets/rotate", {})
    one = api.ask("POST", "/secrets/rotate", {"scope": "repository", "target": URL})

    assert {level["scope"] for level in every.body["scopes"]} == {"global", "repository"}
    assert [level["target"] for level in one.body["scopes"]] == [KEY]
    assert before.isdisjoint(_keys(api))


def _keys(api: Api) -> set[str]:
    scopes = api.world.memory.secrets.values()
    return {sealed.wrapped_key for scope in scopes for sealed in scope.values()}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"values": {"A": [CANARY]}}, "values.A"),
        ({"values": {"A": {CANARY: CANARY}}}, "values.A"),
        ({"values": {"A": f"{CANARY}\0"}}, "A"),
        ({"values": {"A": f"{CANARY}\ud800"}}, None),
        ({"values": {"A": CANARY * 2_000}}, "A"),
        ({"values": {"A": CANARY, "a": CANARY}}, "A"),
        ({"values": {"A-B": CANARY}}, "name"),
        ({"values": {CANARY: CANARY}}, "name"),
        ({"values": {"path": CANARY}}, "PATH"),
        ({"values": {"A": CANARY} | {f"N{number}": CANARY for number in range(50)}}, "values"),
        ({"values": {f"N{number}": CANARY * 1_300 for number in range(5)}}, "values"),
        ({"values": CANARY}, "values"),
        ({"values": [CANARY]}, "values"),
        ({"values": {}}, "values"),
        ({}, "values"),
        ({"values": {"A": CANARY}, "text": f"A={CANARY}"}, "values"),
        ({"text": [CANARY]}, "text"),
        ({"text": f"{CANARY}\nA={CANARY}"}, "text"),
        ({"text": f"A='{CANARY}"}, "text"),
        ({"text": f"A={CANARY * 30_000}"}, "text"),
        ({"text": f"A={CANARY}\0"}, "text"),
        ({"value": CANARY}, "value"),
        ({"scope": CANARY, "values": {"A": CANARY}}, "scope"),
        ({"scope": "team", "values": {"A": CANARY}}, "scope"),
        ({"scope": "repository", "target": 5, "values": {"A": CANARY}}, "target"),
        ({"scope": "repository", "values": {"A": CANARY}}, "target"),
    ],
)
def test_no_refusal_says_what_a_value_was(
    body: dict[str, Any], field: str | None, caplog: pytest.LogCaptureFixture
):
    api = Api()

    answer = api.ask("PUT", "/secrets", {"scope": "global", **body})

    assert (answer.status, answer.body["code"]) == (422, "invalid")
    assert field is None or answer.body["field"] == field
    assert CANARY not in json.dumps(answer.body)
    assert CANARY not in caplog.text
    assert api.world.memory.secrets == {}


@pytest.mark.parametrize(
    "body", [f'{{"scope":"global","values":{{"A":"{CANARY}"', f'"{CANARY}"', f'["{CANARY}"]']
)
def test_a_body_that_is_none_is_not_repeated(body: str, caplog: pytest.LogCaptureFixture):
    api = Api()

    answer = api.resolve(request("PUT", "/secrets", api.token) | {"body": body})

    assert answer.status == 422
    assert CANARY not in json.dumps(answer.body)
    assert CANARY not in caplog.text


@pytest.mark.parametrize(
    ("failure", "status"),
    [(SecretsUnavailable("KMS does not answer"), 503), (KeyError("something"), 500)],
)
def test_what_fails_here_says_and_logs_no_value(
    failure: Exception, status: int, caplog: pytest.LogCaptureFixture
):
    api = Api()
    api.world.sealer.failure = failure

    answer = put(api, values={"A": CANARY})

    assert answer.status == status
    assert caplog.text
    assert CANARY not in json.dumps(answer.body)
    assert CANARY not in caplog.text


def test_a_wire_message_does_not_show_what_it_carries():

    for asked in (
        NewSecrets(scope="global", values={"A": CANARY}, text=CANARY),
        NewReading(scope="global", text=CANARY),
    ):
        assert CANARY not in repr(asked)
        assert CANARY not in str(asked)
