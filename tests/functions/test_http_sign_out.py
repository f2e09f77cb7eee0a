"""Signing out, of one browser or of all: the logins end, and the sockets that were theirs."""

from dataclasses import dataclass
from itertools import count

import pytest

from shared.app.viewers import Watcher
from shared.domain.errors import Unauthenticated, Unavailable
from shared.domain.session.state import SessionId
from tests.functions.browser import Browser
from tests.functions.test_http_api import Api

CONNECTIONS = count(1)


@dataclass
class Desk:
    """Somebody's browser and the sockets that it opened."""

    api: Api

    def __post_init__(self) -> None:
        self.browser = Browser(self.api.world)
        code = self.api.ask("POST", "/sign-in/codes").body["code"]
        assert self.browser.sign_in(code).status == 200

    def ticket(self, session: str) -> str:
        return self.browser.ask("POST", f"/sessions/{session}/socket-ticket").body["ticket"]

    def watch(self, session: str) -> str:
        return watch(self.api, self.ticket(session))

    @property
    def status(self) -> int:
        return self.browser.ask("GET", "/me").status


def watch(api: Api, ticket: str) -> str:
    """As the authorizer and `$connect` let a socket in."""
    viewers, connection = api.world.app.viewers, f"c{next(CONNECTIONS)}"
    let_in = viewers.admit(ticket)
    watcher = Watcher(
        let_in.session_id,
        let_in.user,
        let_in.user_name,
        connection,
        login=let_in.login,
    )
    viewers.connect(watcher, ticket)
    return connection


def closed(api: Api) -> set[str]:
    return api.world.client_sockets.gone


def test_signing_out_closes_this_browsers_sockets_and_no_others():
    api = Api()
    session, other = api.session(), api.session("r2")
    here, there = Desk(api), Desk(api)
    ours, theirs = {here.watch(session), here.watch(other)}, there.watch(session)

    here.browser.ask("DELETE", "/sign-in")

    assert closed(api) == ours
    left = api.world.ports.connections.audience(SessionId(session)).viewers
    assert [viewer.connection_id for viewer in left] == [theirs]


def test_a_login_that_is_replaced_leaves_no_socket_behind():
    api = Api()
    desk = Desk(api)
    socket = desk.watch(api.session())

    desk.browser.sign_in(api.ask("POST", "/sign-in/codes").body["code"])

    assert closed(api) == {socket}
    assert desk.status == 200


def test_signing_out_everywhere_ends_all_browsers_and_sockets_of_one_user():
    api = Api()
    session = api.session()
    owners_token = api.token
    here, there = Desk(api), Desk(api)
    api.token = api.ask("POST", "/users", {"name": "grace"}).body["token"]
    graces = Desk(api)
    hers, ours = graces.watch(session), {here.watch(session), there.watch(session)}
    api.token = owners_token
    by_token = watch(api, api.ask("POST", f"/sessions/{session}/socket-ticket").body["ticket"])

    answer = here.browser.ask("POST", "/sign-out-everywhere", {})

    assert (answer.status, answer.text) == (204, "")
    assert answer.set_cookies[0].startswith("__Host-outboard=; Path=/; Max-Age=0; ")
    assert (here.status, there.status, graces.status) == (401, 401, 200)
    assert closed(api) == ours | {by_token}
    assert hers not in closed(api)


@pytest.mark.parametrize("body", [{}, {"tokens": False}, {"tokens": True}])
def test_tokens_stay_unless_they_are_to_go_too(body: dict[str, bool]):
    api = Api()
    desk = Desk(api)
    made = api.ask("POST", "/tokens", {"name": "ci", "scope": "read"}).body["secret"]

    assert desk.browser.ask("POST", "/sign-out-everywhere", body).status == 204

    first, stays = api.token, 401 if body == {"tokens": True} else 200
    api.token = made
    assert api.ask("GET", "/me").status == stays
    api.token = first
    assert api.ask("GET", "/me").status == 200


def test_another_sites_page_signs_nobody_out_everywhere():
    api = Api()
    desk = Desk(api)

    refused = desk.browser.ask("POST", "/sign-out-everywhere", {}, x_outboard=None)

    assert (refused.status, desk.status) == (403, 200)


@pytest.mark.parametrize("path", ["/sign-in", "/sign-out-everywhere"])
def test_a_ticket_from_before_opens_no_socket_after_it(path: str):
    api = Api()
    desk = Desk(api)
    ticket = desk.ticket(api.session())

    desk.browser.ask("DELETE" if path == "/sign-in" else "POST", path, {})

    with pytest.raises(Unauthenticated):
        watch(api, ticket)


def test_a_new_first_token_closes_its_users_sockets():
    api = Api()
    socket = Desk(api).watch(api.session())

    assert api.ask("POST", "/users/ada/token").status == 200

    assert closed(api) == {socket}


def test_a_socket_that_cannot_be_closed_keeps_nobody_signed_in():
    api = Api()
    desk = Desk(api)
    desk.watch(api.session())
    api.world.client_sockets.failure = Unavailable("not now")

    answer = desk.browser.ask("POST", "/sign-out-everywhere", {})

    assert (answer.status, desk.status) == (204, 401)
