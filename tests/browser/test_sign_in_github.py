"""Signing in by way of GitHub on a whole machine, with a stand-in for GitHub on loopback."""

import re
from collections.abc import Generator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import People, Person
from tests.browser.pictures import look
from tests.e2e.machine import Machine
from tests.fakes.oauth_server import CLIENT, GitHubUser, OAuthServer

ADA = GitHubUser(id=41, login="ada-there", name="Ada There")


@pytest.fixture(scope="module")
def at_github() -> Generator[OAuthServer]:
    with OAuthServer().running() as running:
        yield running


@pytest.fixture
def github(at_github: OAuthServer) -> OAuthServer:
    at_github.user = GitHubUser()
    return at_github


@pytest.fixture(scope="module")
def machine(at_github: OAuthServer, tmp_path_factory: pytest.TempPathFactory) -> Generator[Machine]:
    environment = {
        "GITHUB_URL": at_github.url,
        "GITHUB_API_URL": at_github.url,
        "GITHUB_CLIENT_ID": CLIENT[0],
        "GITHUB_CLIENT_SECRET": CLIENT[1],
        "SIGN_IN_USERS": f"grace,{ADA.login}",
    }
    with Machine(tmp_path_factory.mktemp("github"), environment) as running:
        yield running


@pytest.fixture(scope="module")
def everybody(browser: Browser, machine: Machine) -> People:
    return People(browser, machine)


def newcomer(people: People, github: OAuthServer, name: str = "a stranger") -> Person:
    person = people.stranger(name)
    person.watch.allow(f"{re.escape(github.url)}/")
    return person


def button(page: Page) -> None:
    page.get_by_role("link", name="Continue with GitHub").click()


def say(page: Page, word: str) -> None:
    page.get_by_role("link", name=word, exact=True).click()


def you(page: Page, name: str) -> None:
    expect(page.get_by_role("button", name=f"You: {name}")).to_be_visible()


def test_who_is_admitted_comes_back_signed_in_to_where_they_wanted_to(
    people: People, github: OAuthServer
):
    grace = newcomer(people, github)
    grace.go("/settings/appearance")
    expect(grace.page.get_by_role("link", name="Continue with GitHub")).to_be_visible()
    look(grace, "sign-in-github")

    button(grace.page)
    say(grace.page, "Yes")

    you(grace.page, "Grace Example")
    assert grace.page.url == f"http://{people.host}/settings/appearance"
    grace.page.reload()
    you(grace.page, "Grace Example")
    assert grace.page.evaluate("() => document.cookie") == ""


def test_who_is_not_admitted_is_told_so_and_has_no_login(people: People, github: OAuthServer):
    github.user = GitHubUser(id=66, login="mallory")
    mallory = newcomer(people, github, "mallory")
    mallory.go("/")

    button(mallory.page)
    say(mallory.page, "Yes")

    expect(mallory.page.get_by_text("does not admit your account")).to_be_visible()
    look(mallory, "sign-in-not-admitted")
    assert mallory.context.cookies() == []
    mallory.go("/")
    expect(mallory.page.get_by_role("heading", name="Sign in to Outboard")).to_be_visible()


def test_who_says_no_at_github_is_told_so_and_may_begin_again(people: People, github: OAuthServer):
    grace = newcomer(people, github)
    grace.go("/settings/shortcuts")
    button(grace.page)
    say(grace.page, "No")
    expect(grace.page.get_by_text("You said no over there")).to_be_visible()

    button(grace.page)
    say(grace.page, "Yes")

    you(grace.page, "Grace Example")
    assert grace.page.url == f"http://{people.host}/settings/shortcuts"


def test_what_one_browser_has_begun_signs_no_other_in(people: People, github: OAuthServer):
    first, second = newcomer(people, github, "first"), newcomer(people, github, "second")
    first.go("/")
    button(first.page)
    lure = first.page.get_by_role("link", name="Yes", exact=True).get_attribute("href")
    assert lure is not None

    second.page.goto(lure)

    expect(second.page.get_by_text("was begun in another browser")).to_be_visible()
    assert second.context.cookies() == []


def test_a_github_that_is_down_is_told(people: People, github: OAuthServer):
    grace = newcomer(people, github)
    grace.go("/")
    button(grace.page)
    link = grace.page.get_by_role("link", name="Yes", exact=True)
    expect(link).to_be_visible()

    github.down = True
    link.click()

    expect(grace.page.get_by_text("The code host did not answer")).to_be_visible()
    github.down = False


def test_who_signs_out_signs_in_again_by_the_same_button(people: People, github: OAuthServer):
    grace = newcomer(people, github)
    grace.go("/")
    button(grace.page)
    say(grace.page, "Yes")
    you(grace.page, "Grace Example")

    grace.page.get_by_role("button", name=re.compile("^You: ")).click()
    grace.page.get_by_role("menuitem", name="Sign out").click()
    expect(grace.page.get_by_role("heading", name="Sign in to Outboard")).to_be_visible()
    grace.page.reload()
    button(grace.page)
    say(grace.page, "Yes")

    you(grace.page, "Grace Example")


def test_the_owner_connects_github_and_is_then_signed_in_by_it_as_the_owner(
    people: People, github: OAuthServer
):
    github.user = ADA
    owner, elsewhere = people(), newcomer(people, github, "elsewhere")
    owner.watch.allow(f"{re.escape(github.url)}/")
    page = owner.page
    owner.go("/settings/profile")
    name = page.locator(".profile-name").inner_text()
    connect = page.get_by_role("button", name="Connect GitHub")
    connect.click()
    say(page, "No")
    expect(page.get_by_text("You said no over there")).to_be_visible()

    connect.click()
    say(page, "Yes")
    expect(page.get_by_text("Connected as ada-there", exact=True).first).to_be_visible()
    look(owner, "settings-connected")
    assert "code" not in page.url
    elsewhere.go("/")
    button(elsewhere.page)
    say(elsewhere.page, "Yes")
    you(elsewhere.page, name)

    page.get_by_role("button", name="Disconnect").click()
    page.get_by_role("dialog").get_by_role("button", name="Disconnect").click()
    expect(page.get_by_text("Not connected")).to_be_visible()


def test_an_account_of_another_user_is_refused_with_the_words(people: People, github: OAuthServer):
    grace = newcomer(people, github)
    grace.go("/")
    button(grace.page)
    say(grace.page, "Yes")
    you(grace.page, "Grace Example")
    owner = people()
    owner.watch.allow(f"{re.escape(github.url)}/", "409.*/api/accounts", "/api/accounts.*409")
    owner.watch.allow("status of 409")

    owner.go("/settings/profile")
    owner.page.get_by_role("button", name="Connect GitHub").click()
    say(owner.page, "Yes")

    expect(owner.page.get_by_text("is another user's account here")).to_be_visible()
    look(owner, "settings-account-refused")
