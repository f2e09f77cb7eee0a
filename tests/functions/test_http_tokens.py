"""Personal access tokens over HTTP: what each scope may do, and when one is over."""

from datetime import timedelta

import pytest

from tests.events import request
from tests.fakes.store_faults import Fault
from tests.functions.browser import Browser
from tests.functions.test_http_api import PROMPT, SESSION, Answer, Api


def create(api: Api, scope: str = "write", days: int = 30, name: str = "ci") -> str:
    answer = api.ask("POST", "/tokens", {"name": name, "scope": scope, "days": days})
    assert answer.status == 201
    return answer.body["secret"]


def by(api: Api, token: str, method: str, path: str, body: object = None) -> Answer:
    event = request(method, path, token, body)
    if method != "DELETE":
        return api.resolve(event)
    return Answer(Browser(api.world).ask(method, path, authorization=f"Bearer {token}").status, {})


def test_a_token_is_shown_once_and_listed_without_its_secret():
    api = Api()

    made = api.ask("POST", "/tokens", {"name": " ci ", "scope": "read", "days": 30}).body
    listed = api.ask("GET", "/tokens").body

    assert made["secret"].startswith(f"oba.ada.{made['token']['id']}.")
    assert listed == {"tokens": [made["token"]]}
    assert made["token"] == {
        "id": made["token"]["id"],
        "name": "ci",
        "scope": "read",
        "createdAt": "2026-01-02T03:04:05Z",
        "expiresAt": "2026-02-01T03:04:05Z",
        "lastUsed": None,
    }


def test_the_table_has_no_secret():
    api = Api()
    secret = create(api)

    assert secret not in repr(api.world.memory.access_tokens)
    assert secret.rpartition(".")[2] not in repr(api.world.memory.access_tokens)


def test_a_token_is_its_user_within_its_scope():
    api = Api()
    read, write, admin = (create(api, scope) for scope in ("read", "write", "admin"))

    def may(token: str) -> list[int]:
        asked = [
            by(api, token, "GET", "/sessions"),
            by(api, token, "POST", "/sessions", SESSION),
            by(api, token, "POST", "/users", {"name": "grace"}),
        ]
        return [answer.status for answer in asked]

    assert may(read) == [200, 403, 403]
    assert may(write) == [200, 201, 403]
    assert may(admin) == [200, 201, 201]
    assert by(api, read, "GET", "/me").body["name"] == "ada"


def test_no_token_below_admin_makes_another_or_a_browsers_code():
    api = Api()
    write = create(api, "write")

    made = by(api, write, "POST", "/tokens", {"name": "more", "scope": "admin"})
    code = by(api, write, "POST", "/sign-in/codes")
    renewed = by(api, write, "POST", "/users/ada/token")

    assert [answer.status for answer in (made, code, renewed)] == [403, 403, 403]
    assert by(api, write, "GET", "/tokens").status == 403


def test_a_members_admin_token_is_no_owners():
    api = Api()
    api.token = api.ask("POST", "/users", {"name": "grace"}).body["token"]

    refused = by(api, create(api, "admin"), "POST", "/users", {"name": "mallory"})

    assert (refused.status, refused.body["code"]) == (403, "forbidden")


def test_a_token_is_over_when_it_says():
    api = Api()
    token = create(api, days=1)

    api.world.pass_time(timedelta(days=1) - timedelta(microseconds=1))
    before = by(api, token, "GET", "/me")
    api.world.pass_time(timedelta(microseconds=1))
    after = by(api, token, "GET", "/me")

    assert (before.status, after.status) == (200, 401)
    assert api.ask("GET", "/tokens").body == {"tokens": []}


@pytest.mark.parametrize("days", [0, 366, -1, None])
def test_no_token_is_for_less_than_a_day_or_more_than_a_year(days: int | None):
    asked = {"name": "ci", "scope": "read", "days": days}

    assert Api().ask("POST", "/tokens", asked).status == 422


@pytest.mark.parametrize("asked", [{"name": " "}, {"name": "a\nb"}, {"scope": "root"}, {"x": 1}])
def test_what_is_no_token_is_refused(asked: dict[str, object]):
    assert Api().ask("POST", "/tokens", {"name": "ci", "scope": "read"} | asked).status == 422


def test_a_revoked_token_is_over_at_once_and_the_others_stay():
    api = Api()
    one, other = create(api, name="one"), create(api, name="other")
    revoked = one.split(".")[2]

    answer = by(api, api.token, "DELETE", f"/tokens/{revoked}")
    again = by(api, api.token, "DELETE", f"/tokens/{revoked}")

    assert (answer.status, again.status) == (204, 404)
    assert by(api, one, "GET", "/me").status == 401
    assert by(api, other, "GET", "/me").status == 200


def test_nobody_sees_or_revokes_the_tokens_of_somebody_else():
    api = Api()
    token = create(api)
    api.token = api.ask("POST", "/users", {"name": "grace"}).body["token"]

    revoked = by(api, api.token, "DELETE", f"/tokens/{token.split('.')[2]}")

    assert api.ask("GET", "/tokens").body == {"tokens": []}
    assert revoked.status == 404
    assert by(api, token, "GET", "/me").status == 200


def test_the_day_of_the_last_use_is_noted():
    api = Api()
    token = create(api)

    by(api, token, "GET", "/me")
    api.world.pass_time(timedelta(days=2))
    by(api, token, "GET", "/sessions")

    (listed,) = api.ask("GET", "/tokens").body["tokens"]
    assert listed["lastUsed"] == "2026-01-04"


def test_a_day_that_cannot_be_noted_refuses_nobody():
    api = Api()
    token = create(api)
    api.world.memory.faults.plan(Fault.DROPPED)

    assert by(api, token, "GET", "/me").status == 200


@pytest.mark.parametrize("change", ["secret", "id", "user", "cut"])
def test_a_token_that_was_changed_is_nobodys(change: str):
    api = Api()
    api.ask("POST", "/users", {"name": "grace"})
    start, user, token_id, secret = create(api).split(".")
    changed = {
        "secret": f"{start}.{user}.{token_id}.{secret[::-1]}",
        "id": f"{start}.{user}.other.{secret}",
        "user": f"{start}.grace.{token_id}.{secret}",
        "cut": f"{start}.{user}.{token_id}",
    }

    assert by(api, changed[change], "GET", "/me").status == 401


def test_fifty_tokens_are_the_most_of_those_that_are_good():
    api = Api()
    create(api, days=1)
    for _ in range(49):
        create(api, days=300)

    asked = {"name": "ci", "scope": "read", "days": 1}
    refused = api.ask("POST", "/tokens", asked)
    api.world.pass_time(timedelta(days=1))

    assert (refused.status, refused.body["code"]) == (409, "rejected")
    assert api.ask("POST", "/tokens", asked).status == 201


def test_the_socket_of_a_token_may_do_what_the_token_may():
    api = Api()
    session = api.session()
    read, write = create(api, "read"), create(api, "write")

    tickets = [
        by(api, token, "POST", f"/sessions/{session}/socket-ticket") for token in (read, write)
    ]
    admitted = [api.world.app.viewers.admit(answer.body["ticket"]) for answer in tickets]

    assert [ticket.scope for ticket in admitted] == ["read", "write"]
    assert by(api, read, "POST", f"/sessions/{session}/prompts", PROMPT).status == 403
