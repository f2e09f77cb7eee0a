"""Connecting an account at GitHub to a user that is here already, against a stand-in for GitHub."""

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from shared.domain.session.state import UserId
from tests.fakes.oauth_server import GitHubUser
from tests.functions.browser import Answer, Browser
from tests.functions.test_http_github_sign_in import COOKIE, Place, begin, follow, place

__all__ = ["place"]

ADA = UserId("ada")


def signed_in(place: Place, user: str = "ada") -> Browser:
    world, browser = place.api.world, place.browser()
    found = world.app.accounts.users.get(UserId(user))
    assert found is not None
    assert browser.sign_in(world.app.sign_ins.offer_code(found)[0]).status == 200
    return browser


def depart(browser: Browser) -> str:
    answer = browser.ask("POST", "/accounts/github")
    assert answer.status == 200, answer.text
    return answer.body["address"]


def back(place: Place, browser: Browser, address: str) -> dict[str, str]:
    """Person says yes; what the page that the browser comes back to is told."""
    led_to = urlsplit(follow(browser, place.github.consent(address)))
    assert (led_to.path, led_to.query) == ("/settings/profile", "")
    said = dict(parse_qsl(led_to.fragment, strict_parsing=True))
    assert said.pop("connect") == "github"
    return said


def connect(place: Place, browser: Browser) -> Answer:
    return browser.ask("PUT", "/accounts/github", back(place, browser, depart(browser)))


def accounts(browser: Browser) -> Any:
    return browser.ask("GET", "/accounts").body


def test_who_has_a_token_here_connects_an_account_and_we_can_act_there_for_them(place: Place):
    browser = signed_in(place)

    answer = connect(place, browser)

    account = {"provider": "github", "login": "Grace", "tokens": "kept"}
    assert (answer.status, answer.body) == (200, account)
    assert accounts(browser) == {"accounts": [account], "offered": ["github"]}
    assert place.api.world.app.user_tokens.token(ADA, "github") in place.github.access
    assert COOKIE not in browser.cookies


def test_who_signs_in_with_the_account_afterwards_is_that_user(place: Place):
    connect(place, signed_in(place))

    other = place.browser()
    place.sign_in(other)

    assert place.me(other)["name"] == "ada"
    assert len(place.api.ask("GET", "/users").body["users"]) == 1


def test_connecting_needs_nobody_to_be_admitted(place: Place):
    place.admit()
    browser = signed_in(place)

    assert connect(place, browser).status == 200


def test_an_account_that_is_another_users_stays_theirs(place: Place):
    place.sign_in(place.browser())
    browser = signed_in(place)

    answer = connect(place, browser)

    assert (answer.status, answer.body["code"]) == (409, "conflict")
    assert "another user's account" in answer.body["message"]
    assert accounts(browser)["accounts"] == []
    assert place.api.world.app.user_tokens.token(ADA, "github") is None


def test_who_has_an_account_connected_disconnects_it_before_another(place: Place):
    browser = signed_in(place)
    connect(place, browser)
    place.github.user = GitHubUser(id=8, login="hopper")

    refused = connect(place, browser)
    disconnected = browser.ask("DELETE", "/accounts/github")
    connected = connect(place, browser)

    assert (refused.status, refused.body["code"]) == (409, "conflict")
    assert "'Grace'" in refused.body["message"]
    assert (disconnected.status, connected.body["login"]) == (204, "hopper")


def test_who_disconnects_is_forgotten_with_the_tokens_and_may_do_so_again(place: Place):
    browser = signed_in(place)
    connect(place, browser)

    statuses = [browser.ask("DELETE", "/accounts/github").status for _ in range(2)]

    assert statuses == [204, 204]
    assert accounts(browser)["accounts"] == []
    assert place.api.world.memory.grants == {}
    other = place.browser()
    place.sign_in(other)
    assert place.me(other)["name"] == "grace"


def test_connecting_again_renews_the_tokens(place: Place):
    browser = signed_in(place)
    connect(place, browser)
    (before,) = place.api.world.memory.grants.values()

    assert connect(place, browser).status == 200

    (after,) = place.api.world.memory.grants.values()
    assert after.version != before.version


def test_tokens_that_github_takes_back_are_said_to_be_over(place: Place):
    browser = signed_in(place)
    connect(place, browser)
    place.github.refresh.clear()
    place.api.world.pass_time(timedelta(hours=9))

    assert place.api.world.app.user_tokens.token(ADA, "github") is None
    assert accounts(browser)["accounts"][0]["tokens"] == "ended"


def test_what_mallory_has_begun_connects_nothing_to_the_user_who_comes_back(place: Place):
    """Not with mallory's cookie planted in that browser either."""
    place.api.ask("POST", "/users", {"name": "mallory"})
    victim, mallory = signed_in(place), signed_in(place, "mallory")
    lure = back(place, mallory, depart(mallory))

    bare = victim.ask("PUT", "/accounts/github", lure)
    victim.cookies[COOKIE] = mallory.cookies[COOKIE]
    planted = victim.ask("PUT", "/accounts/github", lure)

    assert [(answer.status, answer.body["code"]) for answer in (bare, planted)] == [
        (409, "rejected")
    ] * 2
    assert accounts(victim)["accounts"] == []


def test_another_login_of_the_same_user_does_not_finish_it(place: Place):
    browser = signed_in(place)
    came = back(place, browser, depart(browser))
    again = signed_in(place)
    again.cookies[COOKIE] = browser.cookies[COOKIE]

    assert again.ask("PUT", "/accounts/github", came).status == 409


def test_a_way_to_sign_in_connects_nothing_and_one_to_connect_signs_nobody_in(place: Place):
    browser = signed_in(place)
    sign_in = dict(parse_qsl(urlsplit(place.github.consent(begin(browser))).query))

    assert browser.ask("PUT", "/accounts/github", sign_in).status == 409
    came = back(place, browser, depart(browser))
    browser.cookies[COOKIE] = browser.cookies[COOKIE].replace("connect", "in")
    led_to = browser.ask("GET", "/sign-in/github/callback", query=came).headers["location"]
    assert led_to == "/sign-in?problem=unauthenticated"


def test_no_other_sites_page_and_no_token_begins_it(place: Place):
    browser = signed_in(place)

    assert browser.ask("POST", "/accounts/github", x_outboard=None).status == 403
    assert place.api.ask("POST", "/accounts/github").status == 403


def test_who_says_no_at_github_is_told_so_where_it_was_begun(place: Place):
    browser = signed_in(place)
    state = dict(parse_qsl(urlsplit(depart(browser)).query))["state"]
    said = {"error": "access_denied", "state": state}

    answer = browser.ask("GET", "/sign-in/github/callback", query=said)

    assert answer.headers["location"] == "/settings/profile?problem=declined"
    assert COOKIE not in browser.cookies


@pytest.mark.parametrize(("trouble", "status"), [("down", 503), ("used", 409)])
def test_a_github_that_gives_nothing_connects_nothing_and_ends_no_login(
    place: Place, trouble: str, status: int
):
    browser = signed_in(place)
    came = back(place, browser, depart(browser))
    place.github.down = trouble == "down"

    answer = browser.ask("PUT", "/accounts/github", came | ({"code": "x"} if status == 409 else {}))

    assert answer.status == status
    place.github.down = False
    assert accounts(browser)["accounts"] == []
