"""Access tokens in the settings, and signing out everywhere."""

from collections.abc import Generator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.home import Home
from tests.browser.people import PHONE, People, Person
from tests.browser.pictures import look
from tests.e2e.machine import Machine
from tests.e2e.talk import Api


@pytest.fixture(autouse=True)
def revoked(people: People, machine: Machine, api: Api) -> Generator[None]:
    yield
    owner = (machine.state / "users" / f"{api.endpoint['user']}.token").read_text().strip()
    for token in api("GET", "/tokens")["tokens"]:
        assert status(people, owner, "DELETE", f"/tokens/{token['id']}") == 204


def opened(person: Person) -> Page:
    person.go("/settings/tokens")
    expect(person.page.get_by_role("button", name="Make the token")).to_be_visible()
    return person.page


def rows(page: Page) -> Locator:
    return page.get_by_role("list", name="Your tokens").get_by_role("listitem")


def make(page: Page, name: str, scope: str) -> str:
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("radio", name=scope).check()
    page.get_by_role("button", name="Make the token").click()
    expect(page.get_by_role("heading", name=f"{name} is made")).to_be_focused()
    return page.locator(".copy-text").inner_text()


def status(people: People, token: str, method: str = "GET", path: str = "/me") -> int:
    headers = {"authorization": f"Bearer {token}"}
    address = f"http://{people.host}/api{path}"
    body = {"name": "another", "scope": "read"} if method == "POST" else None
    answer = httpx.request(method, address, headers=headers, json=body, trust_env=False)
    return answer.status_code


def test_a_token_is_shown_once_works_within_its_scope_and_is_revoked(
    people: People, person: Person
):
    page = opened(person)
    look(person, "tokens-none")

    token = make(page, "nightly", "Read")
    look(person, "tokens-made")
    person.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the token").click()
    expect(page.get_by_role("button", name="Copy the token")).to_be_visible()
    copied = page.evaluate("() => navigator.clipboard.readText()")

    assert copied == token
    assert status(people, token) == 200
    assert status(people, token, "POST", "/tokens") == 403
    page.reload()
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("nightly")
    expect(rows(page)).to_contain_text("last used")
    stored = "() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"
    assert token not in page.content() + page.evaluate(stored)
    page.get_by_role("button", name="Revoke nightly").click()
    question = page.get_by_role("dialog", name="Revoke nightly?")
    expect(question).to_be_visible()
    look(person, "tokens-revoke")
    question.get_by_role("button", name="Revoke").click()
    expect(rows(page)).to_have_count(0)
    assert status(people, token) == 401


def test_a_token_is_made_and_revoked_with_the_keyboard(person: Person):
    page = opened(person)

    page.get_by_role("textbox", name="Name").focus()
    page.keyboard.type("by keys")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="by keys is made")).to_be_focused()
    expect(rows(page)).to_contain_text("admin")
    page.get_by_role("button", name="Revoke by keys").focus()
    page.keyboard.press("Enter")
    question = page.get_by_role("dialog", name="Revoke by keys?")
    expect(question.get_by_role("button", name="Revoke")).to_be_focused()
    page.keyboard.press("Enter")

    expect(rows(page)).to_have_count(0)
    expect(page.get_by_role("list", name="Your tokens")).to_be_focused()


def test_a_life_that_may_not_be_is_said_before_it_is_asked_for(people: People):
    person = people(device=PHONE)
    page = opened(person)

    page.get_by_role("textbox", name="Name").fill("too long")
    page.get_by_role("textbox", name="Ends in").fill("366")

    expect(page.get_by_text("From 1 to 365 days.")).to_be_visible()
    expect(page.get_by_role("button", name="Make the token")).to_be_disabled()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    look(person, "tokens-wrong")


def test_the_fifty_first_token_is_refused_in_the_servers_words(person: Person, api: Api):
    person.watch.allow("/api/tokens", "status of 409")
    for number in range(50):
        api("POST", "/tokens", {"name": f"one of many {number}", "scope": "read", "days": 1})
    page = opened(person)

    page.get_by_role("textbox", name="Name").fill("one more")
    page.get_by_role("button", name="Make the token").click()

    expect(page.get_by_role("alert")).to_contain_text("50 tokens are the most")
    look(person, "tokens-refused")


def test_signing_out_everywhere_ends_what_another_browser_watches(
    people: People, machine: Machine, api: Api, path: Path
):
    session = api.open(path).id
    here, there = people("dora"), people("dora")
    for each in (here, there):
        each.watch.allow("401", "WebSocket")
    (made,) = machine.json("--as", "dora", "token", "create", "nightly")
    with there.page.expect_websocket() as watching:
        there.go(f"/session/{session}")
    watching.value.wait_for_event("framereceived")

    here.go("/settings/profile")
    here.page.get_by_role("button", name="Sign out everywhere").click()
    question = here.page.get_by_role("dialog", name="Sign out everywhere?")
    expect(question).to_be_visible()
    look(here, "sign-out-everywhere")
    people.logins.pop("dora")
    with watching.value.expect_event("close"):
        question.get_by_role("button", name="Sign out everywhere").click()

    expect(here.page.get_by_role("heading", name="Sign in to Outboard")).to_be_visible()
    expect(there.page.get_by_role("dialog", name="Your login has expired")).to_be_visible()
    there.page.reload()
    expect(there.page.get_by_role("heading", name="Sign in to Outboard")).to_be_visible()
    assert status(people, made["secret"]) == 200
    expect(Home(people().page).prompt).to_be_visible()


def test_tokens_end_with_the_logins_where_that_is_chosen(people: People, machine: Machine):
    dan = people("dan")
    people.logins.pop("dan")
    dan.watch.allow("401")
    (made,) = machine.json("--as", "dan", "token", "create", "nightly")

    dan.go("/settings/profile")
    dan.page.get_by_role("button", name="Sign out everywhere").click()
    dan.page.get_by_role("checkbox", name="Revoke my access tokens, too").check()
    question = dan.page.get_by_role("dialog")
    question.get_by_role("button", name="Sign out everywhere").click()
    expect(dan.page.get_by_role("heading", name="Sign in to Outboard")).to_be_visible()

    assert status(people, made["secret"]) == 401
    assert dan.page.evaluate("() => localStorage.getItem('outboard.login')") is None
