"""Signing in by way of GitHub, from the button to the cookie, against a stand-in for GitHub."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from shared import wiring
from shared.adapters.github_sign_in import CLIENT_SECRET, GitHubSignIn
from tests.fakes.oauth_server import BACK, CLIENT, GitHubUser, OAuthServer
from tests.functions.browser import Answer, Browser
from tests.functions.test_http_api import Api
from tests.world import SETTINGS

COOKIE = "__Host-outboard-sign-in"


@dataclass
class Place:
    github: OAuthServer
    api: Api

    def admit(self, **lists: str) -> None:
        world = self.api.world
        world.app = wiring.build(replace(SETTINGS, **lists), world.ports)

    def browser(self) -> Browser:
        return Browser(self.api.world)

    def sign_in(self, browser: Browser) -> Answer:
        """All of it: to GitHub, back, and with the code into a login."""
        code = self.back(browser)
        assert code.startswith("/sign-in#obk_"), code
        return browser.sign_in(code.partition("#")[2])

    def back(self, browser: Browser) -> str:
        return follow(browser, self.github.consent(begin(browser)))

    def kept(self) -> dict[str, str]:
        """Everything that our tables hold."""
        return {name: repr(value) for name, value in vars(self.api.world.memory).items()}

    def me(self, browser: Browser) -> Any:
        return browser.ask("GET", "/me").body


def begin(browser: Browser) -> str:
    answer = browser.ask("GET", "/sign-in/github")
    assert answer.status == 302
    return answer.headers["location"]


def follow(browser: Browser, address: str) -> str:
    """The callback, as GitHub's redirect has the browser ask for it; where that leads."""
    query = parse_qs(urlsplit(address).query)
    said = {name: values[0] for name, values in query.items()}
    answer = browser.ask("GET", "/sign-in/github/callback", query=said)
    assert answer.status == 302
    return answer.headers["location"]


@pytest.fixture
def place() -> Generator[Place]:
    with OAuthServer().running() as github:
        api = Api()
        world = api.world
        world.secrets.values[CLIENT_SECRET] = CLIENT[1]
        world.identity_providers["github"] = GitHubSignIn(
            github.url, github.url, CLIENT[0], world.secrets, lambda: world.now
        )
        place = Place(github, api)
        place.admit(sign_in_users="grace")
        yield place


def test_a_person_whom_the_deployment_admits_is_signed_in_as_a_new_member(place: Place):
    browser = place.browser()

    signed_in = place.sign_in(browser)

    assert signed_in.status == 200
    me = place.me(browser)
    assert (me["name"], me["displayName"], me["role"]) == ("grace", "Grace Example", "member")
    assert (me["email"], me["via"]) == (None, "cookie")


def test_the_way_to_github_is_bound_to_the_browser_and_says_no_secret(place: Place):
    browser = place.browser()

    answer = browser.ask("GET", "/sign-in/github")

    query = parse_qs(urlsplit(answer.headers["location"]).query)
    assert set(query) == {
        *("client_id", "redirect_uri", "state", "code_challenge", "code_challenge_method")
    }
    assert query["redirect_uri"] == [BACK]
    (cookie,) = answer.set_cookies
    pair, *attributes = cookie.split("; ")
    name, _, verifier = pair.partition("=")
    assert name == COOKIE
    assert attributes == ["Path=/", "Max-Age=600", "HttpOnly", "SameSite=Lax", "Secure"]
    assert verifier not in answer.headers["location"]
    assert query["state"][0] not in cookie


def test_beginning_a_sign_in_keeps_nothing_here_however_often_anybody_asks(place: Place):
    before = place.kept()

    for _ in range(3):
        begin(place.browser())

    assert place.kept() == before


def test_who_comes_again_is_the_same_user(place: Place):
    first, second = place.browser(), place.browser()
    place.sign_in(first)
    first.ask("PATCH", "/me", {"displayName": "Amazing Grace"})

    place.sign_in(second)

    assert place.me(second)["displayName"] == "Amazing Grace"
    assert len(place.api.ask("GET", "/users").body["users"]) == 2


def test_who_is_called_otherwise_at_github_now_is_still_the_same_user(place: Place):
    place.sign_in(place.browser())
    place.github.user.login = "hopper"
    place.admit(sign_in_users="hopper")

    browser = place.browser()
    place.sign_in(browser)

    assert place.me(browser)["name"] == "grace"
    user = place.api.world.app.accounts.users.get(place.api.world.app.accounts.all()[1].id)
    assert user is not None
    assert user.account is not None
    assert (user.account.id, user.account.login) == ("7", "hopper")


def test_another_account_with_a_login_that_was_somebodys_is_somebody_else(place: Place):
    place.sign_in(place.browser())
    place.github.user = GitHubUser(id=8, login="grace")

    browser = place.browser()
    place.sign_in(browser)

    assert place.me(browser)["name"] == "grace-8"


def test_a_login_like_the_name_of_a_user_with_a_token_takes_nothing_over(place: Place):
    place.github.user = GitHubUser(id=9, login="Ada")
    place.admit(sign_in_users="ada")

    browser = place.browser()
    place.sign_in(browser)

    me = place.me(browser)
    assert (me["name"], me["role"]) == ("ada-9", "member")


@pytest.mark.parametrize(
    ("lists", "user", "admitted"),
    [
        ({}, GitHubUser(), False),
        ({"sign_in_users": " ada , GRACE "}, GitHubUser(), True),
        ({"sign_in_users": "ada"}, GitHubUser(), False),
        ({"sign_in_domains": "Example.com"}, GitHubUser(), True),
        ({"sign_in_domains": "example.com"}, GitHubUser(emails=[("g@example.com", False)]), False),
        ({"sign_in_domains": "example.com"}, GitHubUser(emails=[("g@a.example.com", True)]), False),
        (
            {"sign_in_domains": "example.com"},
            GitHubUser(emails=[("g@notexample.com", True)]),
            False,
        ),
        ({"sign_in_domains": "example.com"}, GitHubUser(hides={"/user/emails"}), False),
        ({"sign_in_organisations": "acme"}, GitHubUser(organisations={"acme": "active"}), True),
        ({"sign_in_organisations": "acme"}, GitHubUser(organisations={"acme": "pending"}), False),
        ({"sign_in_organisations": "acme"}, GitHubUser(organisations={"other": "active"}), False),
    ],
)
def test_only_whom_one_of_the_lists_has_is_admitted(
    place: Place, lists: dict[str, str], user: GitHubUser, *, admitted: bool
):
    place.admit(**lists)
    place.github.user = user

    led_to = place.back(place.browser())

    if admitted:
        assert led_to.startswith("/sign-in#obk_")
    else:
        assert led_to == "/sign-in?problem=forbidden"
    assert len(place.api.ask("GET", "/users").body["users"]) == 1 + admitted


def test_who_is_admitted_no_more_does_not_get_in_again(place: Place):
    place.sign_in(place.browser())
    place.admit(sign_in_users="ada")

    assert place.back(place.browser()) == "/sign-in?problem=forbidden"


def test_a_callback_is_good_once(place: Place):
    browser = place.browser()
    address = place.github.consent(begin(browser))
    kept = dict(browser.cookies)

    first = follow(browser, address)
    browser.cookies = kept
    second = follow(browser, address)

    assert first.startswith("/sign-in#")
    assert second == "/sign-in?problem=unauthenticated"


def test_a_callback_is_good_in_its_own_browser_only(place: Place):
    victim, mallory = place.browser(), place.browser()
    begin(victim)

    lured = follow(victim, place.github.consent(begin(mallory)))
    bare = follow(place.browser(), place.github.consent(begin(mallory)))

    assert {lured, bare} == {"/sign-in?problem=unauthenticated"}


def test_a_callback_is_too_late_after_ten_minutes(place: Place):
    browser = place.browser()
    address = place.github.consent(begin(browser))

    place.api.world.pass_time(timedelta(minutes=10))

    assert follow(browser, address) == "/sign-in?problem=unauthenticated"


def test_a_state_that_was_made_up_or_changed_is_refused(place: Place):
    browser = place.browser()
    address = place.github.consent(begin(browser))

    assert follow(browser, f"{address}x") == "/sign-in?problem=unauthenticated"
    assert follow(browser, BACK) == "/sign-in?problem=unauthenticated"


def test_a_code_of_another_sign_in_is_refused_for_want_of_its_verifier(place: Place):
    mine, other = place.browser(), place.browser()
    address = place.github.consent(begin(mine))
    stolen = parse_qs(urlsplit(place.github.consent(begin(other))).query)["code"][0]
    ours = parse_qs(urlsplit(address).query)["code"][0]

    assert follow(mine, address.replace(ours, stolen)) == "/sign-in?problem=unauthenticated"


def test_who_says_no_at_github_is_told_so(place: Place):
    browser = place.browser()
    state = parse_qs(urlsplit(begin(browser)).query)["state"][0]

    led_to = follow(browser, f"{BACK}?error=access_denied&state={state}")

    assert led_to == "/sign-in?problem=declined"


@pytest.mark.parametrize("trouble", ["down", "secret", "no secret", "lost answer"])
def test_a_github_that_does_not_answer_signs_nobody_in(place: Place, trouble: str):
    browser = place.browser()
    address = place.github.consent(begin(browser))
    secrets = place.api.world.secrets.values
    match trouble:
        case "down":
            place.github.down = True
        case "secret":
            secrets[CLIENT_SECRET] = "another"
        case "no secret":
            del secrets[CLIENT_SECRET]
        case _:
            place.github.lost_answers = 1

    assert follow(browser, address) == "/sign-in?problem=unavailable"


def test_the_cookie_of_the_way_is_gone_when_it_is_over(place: Place):
    browser = place.browser()

    place.back(browser)

    assert COOKIE not in browser.cookies


def test_which_ways_in_there_are_is_told_to_everybody(place: Place):
    browser = place.browser()

    offered = browser.ask("GET", "/sign-in/providers").body
    elsewhere = Browser(Api().world)

    assert offered == {"providers": ["github"]}
    assert elsewhere.ask("GET", "/sign-in/providers").body == {"providers": []}
    assert elsewhere.ask("GET", "/sign-in/github").status == 404


def test_a_prompt_of_theirs_is_by_their_account_at_github(place: Place):
    browser, session = place.browser(), place.api.session()
    place.sign_in(browser)

    def author(request_id: str) -> Any:
        asked = {"requestId": request_id, "text": "do it"}
        number = browser.ask("POST", f"/sessions/{session}/prompts", asked).body["number"]
        return browser.ask("GET", f"/sessions/{session}/prompts/{number}").body["author"]

    by_account = author("p1")
    browser.ask("PATCH", "/me", {"email": "grace@example.com"})
    by_choice = author("p2")

    assert by_account == {"name": "Grace Example", "email": "7+Grace@users.noreply.github.com"}
    assert by_choice == {"name": "Grace Example", "email": "grace@example.com"}
