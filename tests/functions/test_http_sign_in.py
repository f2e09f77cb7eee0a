"""Signing a browser in and out, and what its cookie is good for."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from shared import wiring
from tests.functions.browser import Browser
from tests.functions.test_http_api import SESSION, Api
from tests.world import SETTINGS

PROFILE = {"displayName": "Ada Example", "email": "ada@example.com"}


def _code(api: Api) -> str:
    return api.ask("POST", "/sign-in/codes").body["code"]


def _signed_in(api: Api) -> Browser:
    browser = Browser(api.world)
    assert browser.sign_in(_code(api)).status == 200
    return browser


def test_a_code_signs_a_browser_in():
    api = Api()
    browser = Browser(api.world)

    offered = api.ask("POST", "/sign-in/codes")
    answer = browser.sign_in(offered.body["code"])

    assert (offered.status, offered.body["expiresAt"]) == (201, "2026-01-02T03:14:05Z")
    signed_in = answer.body
    assert signed_in.pop("pageKey") is None
    assert signed_in == {
        "name": "ada",
        "role": "owner",
        "displayName": "ada",
        "email": None,
        "createdAt": "2026-01-02T03:04:05Z",
        "via": "cookie",
    }
    assert browser.ask("GET", "/me").body == signed_in


def test_its_cookie_is_for_no_script_no_other_host_and_no_open_wire():
    api = Api()

    (line,) = Browser(api.world).sign_in(_code(api)).set_cookies

    pair, *attributes = line.split("; ")
    assert pair.startswith("__Host-outboard=obl_")
    assert attributes == ["Path=/", "Max-Age=2592000", "HttpOnly", "SameSite=Lax", "Secure"]


def _on_loopback() -> Api:
    api = Api()
    api.world.app = wiring.build(replace(SETTINGS, loopback=True), api.world.ports)
    return api


def test_on_loopback_the_cookie_is_named_after_the_port_and_works_without_tls():
    api = _on_loopback()
    browser = Browser(api.world, host="127.0.0.1:4700")
    other = Browser(api.world, host="127.0.0.1:4800", cookies=browser.cookies)

    (line,) = browser.sign_in(_code(api)).set_cookies

    assert line.startswith("outboard-4700=obl_")
    assert "Secure" not in line
    assert browser.ask("GET", "/me").status == 200
    assert other.ask("GET", "/me").status == 401


@pytest.mark.parametrize("mark", [None, "web", "web ", "web obp_" + 43 * "x", "web  web"])
def test_on_loopback_a_cookie_that_another_port_was_sent_lets_nobody_in(mark: str | None):
    api = _on_loopback()
    browser = Browser(api.world, host="127.0.0.1:4700")
    browser.sign_in(_code(api))
    thief = Browser(api.world, host=browser.host, cookies=dict(browser.cookies))

    read = thief.ask("GET", "/me", x_outboard=mark)
    changed = thief.ask("PATCH", "/me", PROFILE, x_outboard=mark)
    thief.ask("DELETE", "/sign-in", x_outboard="web")

    assert read.status == 401
    assert changed.status in {401, 403}
    assert browser.ask("GET", "/me").body["displayName"] == "ada"


def test_on_loopback_a_login_from_before_there_were_halves_is_over():
    api = Api()
    browser = _signed_in(api)
    api.world.app = wiring.build(replace(SETTINGS, loopback=True), api.world.ports)
    browser.host, secret = "127.0.0.1:4700", browser.cookies["__Host-outboard"]

    browser.cookies = {"outboard-4700": secret}

    assert browser.ask("GET", "/me").status == 401


def test_on_loopback_a_cookie_that_another_port_has_set_signs_nobody_in_as_somebody_else():
    api = _on_loopback()
    mallory, browser = (Browser(api.world, host="127.0.0.1:4700") for _ in range(2))
    mallory.sign_in(_code(api))
    browser.sign_in(_code(api))

    browser.cookies = dict(mallory.cookies)

    assert browser.ask("GET", "/me").status == 401


def test_on_loopback_both_halves_are_new_with_each_login_and_end_with_it():
    api = _on_loopback()
    browser = Browser(api.world, host="127.0.0.1:4700")
    browser.sign_in(_code(api))
    before = Browser(api.world, browser.host, dict(browser.cookies), browser.key)
    browser.sign_in(_code(api))
    second = Browser(api.world, browser.host, dict(browser.cookies), browser.key)

    out = browser.ask("DELETE", "/sign-in")

    assert before.key.startswith("obp_")
    assert before.key != second.key
    assert (before.ask("GET", "/me").status, out.status) == (401, 204)
    assert second.ask("GET", "/me").status == 401


def test_a_code_works_once():
    api = Api()
    code = _code(api)
    first, second = Browser(api.world), Browser(api.world)

    assert first.sign_in(code).status == 200
    refused = second.sign_in(code)

    assert (refused.status, refused.body["code"]) == (401, "unauthenticated")
    assert (first.ask("GET", "/me").status, second.ask("GET", "/me").status) == (200, 401)


def test_a_code_works_for_ten_minutes():
    api = Api()
    code = _code(api)

    api.world.pass_time(timedelta(minutes=10))

    assert Browser(api.world).sign_in(code).status == 401


def test_another_sites_page_can_sign_nobody_in():
    api = Api()
    code = _code(api)

    refused = Browser(api.world).ask("POST", "/sign-in", {"code": code}, x_outboard=None)

    assert (refused.status, refused.body["code"]) == (403, "forbidden")
    assert Browser(api.world).sign_in(code).status == 200


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/sessions", SESSION),
        ("PATCH", "/me", PROFILE),
        ("POST", "/users/ada/token", None),
        ("POST", "/sign-in/codes", None),
        ("DELETE", "/sign-in", None),
    ],
)
@pytest.mark.parametrize("mark", [None, "", "other"])
def test_a_cookie_alone_changes_nothing(method: str, path: str, body: Any, mark: str | None):
    api = Api()
    browser = _signed_in(api)

    refused = browser.ask(method, path, body, x_outboard=mark)

    assert (refused.status, refused.body["code"]) == (403, "forbidden")
    assert browser.ask("GET", "/me", x_outboard=mark).body["displayName"] == "ada"
    assert browser.ask("GET", "/sessions").body["sessions"] == []


def test_with_the_mark_of_our_pages_it_may_do_what_its_user_may():
    api = Api()
    browser = _signed_in(api)

    assert browser.ask("POST", "/sessions", SESSION).status == 201
    assert browser.ask("POST", "/users", {"name": "grace"}).status == 201


def test_a_token_needs_no_mark_and_goes_before_a_cookie():
    api = Api()
    grace = api.ask("POST", "/users", {"name": "grace"}).body["token"]
    browser = _signed_in(api)

    by_token = browser.ask("GET", "/me", authorization=f"Bearer {grace}")
    refused = browser.ask("GET", "/me", authorization="Bearer nobody's")

    assert (by_token.body["name"], by_token.body["via"]) == ("grace", "token")
    assert refused.status == 401
    assert api.ask("PATCH", "/me", PROFILE).body["via"] == "token"


def test_signing_out_ends_this_browser_and_no_other():
    api = Api()
    browser, other = _signed_in(api), _signed_in(api)
    kept = dict(browser.cookies)

    answer = browser.ask("DELETE", "/sign-in")

    assert (answer.status, answer.text, browser.cookies) == (204, "", {})
    assert answer.set_cookies[0].startswith("__Host-outboard=; Path=/; Max-Age=0; ")
    assert Browser(api.world, cookies=kept).ask("GET", "/me").status == 401
    assert other.ask("GET", "/me").status == 200
    assert browser.ask("DELETE", "/sign-in").status == 204


def test_signing_in_again_ends_the_login_that_the_browser_had():
    api = Api()
    browser = _signed_in(api)
    before = dict(browser.cookies)

    browser.sign_in(_code(api))

    assert browser.cookies != before
    assert Browser(api.world, cookies=before).ask("GET", "/me").status == 401
    assert browser.ask("GET", "/me").status == 200


def test_a_code_that_fails_leaves_the_browser_signed_in():
    api = Api()
    browser = _signed_in(api)

    assert browser.sign_in("obk_made-up").status == 401
    assert browser.ask("GET", "/me").status == 200


def test_a_login_ends_thirty_days_after_the_last_visit():
    api = Api()
    often, seldom = _signed_in(api), _signed_in(api)

    for _ in range(10):
        api.world.pass_time(timedelta(days=4))
        assert often.ask("GET", "/me").status == 200

    assert seldom.ask("GET", "/me").status == 401


def test_a_visit_moves_the_end_at_most_once_a_day():
    api = Api()
    browser = _signed_in(api)

    api.world.pass_time(timedelta(hours=23))
    early = browser.ask("GET", "/me")
    api.world.pass_time(timedelta(hours=1))
    (renewed,) = browser.ask("GET", "/sessions").set_cookies
    again = browser.ask("GET", "/me")

    assert early.set_cookies == again.set_cookies == []
    assert "Max-Age=2592000" in renewed
    assert renewed.startswith(f"__Host-outboard={browser.cookies['__Host-outboard']};")


def test_a_new_token_signs_its_users_browsers_out_and_nobody_elses():
    api = Api()
    grace = api.ask("POST", "/users", {"name": "grace"}).body["token"]
    ours, owners_token = _signed_in(api), api.token
    api.token = grace
    hers, unused = _signed_in(api), _code(api)

    api.token = owners_token
    api.ask("POST", "/users/grace/token")

    assert hers.ask("GET", "/me").status == 401
    assert Browser(api.world).sign_in(unused).status == 401
    assert ours.ask("GET", "/me").status == 200


def test_a_profile_is_changed_in_parts():
    api = Api()
    browser = _signed_in(api)

    whole = browser.ask("PATCH", "/me", PROFILE).body
    renamed = browser.ask("PATCH", "/me", {"displayName": "Ada K."}).body
    without = browser.ask("PATCH", "/me", {"email": None}).body

    assert (whole["displayName"], whole["email"]) == ("Ada Example", "ada@example.com")
    assert (renamed["displayName"], renamed["email"]) == ("Ada K.", "ada@example.com")
    assert (without["displayName"], without["email"]) == ("Ada K.", None)
    assert api.ask("GET", "/me").body == without | {"via": "token"}


@pytest.mark.parametrize(
    "change", [{"displayName": "<b>"}, {"displayName": " "}, {"email": "no address"}, {"name": "x"}]
)
def test_a_profile_that_git_could_not_carry_is_refused(change: dict[str, str]):
    assert Api().ask("PATCH", "/me", change).status == 422


def test_a_prompt_without_an_author_is_by_whoever_asks():
    api = Api()
    browser, session = _signed_in(api), api.session()

    def author(request_id: str) -> Any:
        asked = {"requestId": request_id, "text": "do it"}
        number = browser.ask("POST", f"/sessions/{session}/prompts", asked).body["number"]
        return browser.ask("GET", f"/sessions/{session}/prompts/{number}").body["author"]

    before = author("p1")
    browser.ask("PATCH", "/me", PROFILE)
    after = author("p2")

    assert before == {"name": "ada", "email": "ada@users.outboard.invalid"}
    assert after == {"name": "Ada Example", "email": "ada@example.com"}


def test_no_answer_is_kept_or_taken_for_a_page():
    headers = Browser(Api().world).ask("GET", "/me").headers

    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert headers["content-type"] == "application/json"
