"""Secrets in the settings: values go in, and are nowhere in the browser afterwards."""

import re
from collections.abc import Generator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from tests.browser.people import PHONE, People, Person
from tests.browser.pictures import look
from tests.e2e.machine import Machine
from tests.e2e.talk import Api

CANARY = "canary-5d2f-never-seen-again"
OTHER = "canary-77aa-replaced"
URL = "https://git.example.com/acme/vault"


@pytest.fixture(autouse=True)
def emptied(machine: Machine) -> Generator[None]:
    yield
    for place in ((), ("--repo", URL)):
        (there,) = machine.json("secret", "list", *place)
        for secret in there["secrets"]:
            machine.json("secret", "remove", secret["name"], *place)


def opened(person: Person) -> Page:
    person.go("/settings/secrets")
    expect(person.page.get_by_role("button", name="Applies to: Everything")).to_be_visible()
    expect(person.page.get_by_role("status", name="Loading")).to_have_count(0)
    return person.page


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("list", name="Secrets").get_by_role("listitem").filter(has_text=name)


def give(page: Page, name: str, value: str) -> None:
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_label("Value", exact=True).fill(value)
    page.get_by_role("button", name=re.compile("^(Set|Replace) the secret$")).click()
    expect(page.get_by_label("Value", exact=True)).to_have_value("")


def heard(person: Person) -> list[Response]:
    """Whatever is answered from now on."""
    answers: list[Response] = []

    def hear(response: Response) -> None:
        answers.append(response)

    person.page.on("response", hear)
    return answers


def said(answers: list[Response]) -> str:
    """By our server, without the pages themselves."""
    return "".join(each.text() for each in answers if "/api/" in each.url and each.status == 200)


def kept(page: Page) -> str:
    """All that the page and its storage hold, what is in its fields as well."""
    return page.evaluate(
        """() => JSON.stringify([
          document.documentElement.outerHTML,
          [...document.querySelectorAll("input, textarea")].map((field) => field.value),
          { ...localStorage }, { ...sessionStorage }, document.cookie,
          location.href, history.state,
        ])"""
    )


def test_a_value_is_nowhere_once_it_is_set_and_replaced_and_deleted(person: Person):
    page = opened(person)
    answers = heard(person)
    look(person, "secrets-none")

    give(page, "npm_token", CANARY)
    expect(row(page, "NPM_TOKEN")).to_contain_text("Set by")
    page.get_by_role("button", name="Replace NPM_TOKEN").click()
    expect(page.get_by_role("textbox", name="Name")).to_have_value("NPM_TOKEN")
    give(page, "NPM_TOKEN", OTHER)
    give(page, "ANTHROPIC_BASE_URL", "https://models.example.com")
    expect(row(page, "ANTHROPIC_BASE_URL")).to_contain_text("Wins over the deployment's own")
    expect(row(page, "NPM_TOKEN")).to_have_count(1)
    look(person, "secrets-set")

    assert "NPM_TOKEN" in said(answers)
    for value in (CANARY, OTHER):
        assert value not in kept(page) + said(answers)
    page.get_by_role("button", name="Delete NPM_TOKEN").click()
    question = page.get_by_role("dialog", name="Delete NPM_TOKEN?")
    expect(question).to_be_visible()
    look(person, "secrets-delete")
    question.get_by_role("button", name="Delete").click()
    expect(row(page, "NPM_TOKEN")).to_have_count(0)
    page.reload()
    expect(row(page, "ANTHROPIC_BASE_URL")).to_be_visible()
    expect(row(page, "NPM_TOKEN")).to_have_count(0)


def test_a_name_that_is_reserved_is_refused_in_the_servers_words(person: Person):
    person.watch.allow("422", "/api/secrets.*422")
    page = opened(person)

    page.get_by_role("textbox", name="Name").fill("PATH")
    page.get_by_label("Value", exact=True).fill(CANARY)
    page.get_by_role("button", name="Set the secret").click()

    expect(page.get_by_role("alert")).to_have_text("PATH: this name is reserved")
    look(person, "secrets-refused")


def test_a_pasted_file_is_set_whole_or_not_at_all(person: Person):
    page = opened(person)
    answers = heard(person)
    text = page.get_by_role("textbox", name="Its text")

    text.fill(f"A_TOKEN={CANARY}\nHOME={CANARY}\n")
    page.get_by_role("button", name="Preview").click()
    lines = page.get_by_role("list", name="Lines of the file").get_by_role("listitem")
    expect(lines).to_have_count(2)
    expect(lines.nth(0)).to_have_text(re.compile("Line 1.*A_TOKEN.*New"))
    expect(lines.nth(1)).to_have_text(re.compile("Line 2.*HOME.*Refused.*this name is reserved"))
    expect(page.get_by_text("1 of 2 are refused, and nothing is set while any is.")).to_be_visible()
    expect(page.get_by_role("button", name="Set all 2")).to_have_count(0)
    look(person, "secrets-paste-refused")

    text.fill(f"A_TOKEN={CANARY}\nHOME_OF={CANARY}\n")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Set all 2").click()
    expect(row(page, "A_TOKEN")).to_be_visible()
    expect(row(page, "HOME_OF")).to_be_visible()

    expect(text).to_have_value("")
    assert "HOME_OF" in said(answers)
    assert CANARY not in kept(page) + said(answers)


def test_a_typed_repository_has_its_own_and_its_page_says_what_wins(
    person: Person, machine: Machine
):
    page = opened(person)
    give(page, "NPM_TOKEN", CANARY)

    page.get_by_role("button", name="Applies to: Everything").click()
    page.get_by_role("combobox", name=re.compile("^Applies to")).fill(URL)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Applies to: acme/vault")).to_be_visible()
    expect(page.get_by_text("No secrets here yet")).to_be_visible()
    give(page, "NPM_TOKEN", OTHER)

    expect(row(page, "NPM_TOKEN")).to_contain_text("Wins over the one for everything")
    look(person, "secrets-repository")
    (there,) = machine.json("secret", "list", "--repo", URL)
    assert [secret["name"] for secret in there["secrets"]] == ["NPM_TOKEN"]


def test_it_is_all_done_with_the_keyboard(person: Person):
    page = opened(person)

    page.get_by_role("textbox", name="Name").focus()
    page.keyboard.type("NPM_TOKEN")
    page.keyboard.press("Tab")
    page.keyboard.type(CANARY)
    page.keyboard.press("Enter")
    expect(row(page, "NPM_TOKEN")).to_be_visible()
    expect(page.get_by_role("textbox", name="Name")).to_be_focused()
    page.get_by_role("button", name="Delete NPM_TOKEN").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Delete NPM_TOKEN?")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Delete NPM_TOKEN")).to_be_focused()
    page.keyboard.press("Enter")
    question = page.get_by_role("dialog", name="Delete NPM_TOKEN?")
    expect(question.get_by_role("button", name="Delete")).to_be_focused()
    page.keyboard.press("Enter")

    expect(row(page, "NPM_TOKEN")).to_have_count(0)
    expect(page.get_by_role("list", name="Secrets")).to_be_focused()


def test_a_member_sees_the_names_for_everything_and_changes_a_repositorys(
    people: People, machine: Machine
):
    member = people("mia")
    page = opened(member)

    expect(page.get_by_text("Only the owner may change those for everything")).to_be_visible()
    expect(page.get_by_label("Value", exact=True)).to_have_count(0)
    look(member, "secrets-member")
    page.get_by_role("button", name="Applies to: Everything").click()
    page.get_by_role("combobox", name=re.compile("^Applies to")).fill(URL)
    page.keyboard.press("Enter")
    give(page, "NPM_TOKEN", CANARY)

    expect(row(page, "NPM_TOKEN")).to_contain_text("Set by mia")


def test_on_a_phone_everything_fits(people: People):
    person = people(device=PHONE)
    page = opened(person)

    give(page, "A_NAME_THAT_IS_VERY_LONG_" * 4, CANARY)
    expect(row(page, "A_NAME_THAT")).to_be_visible()
    page.get_by_role("textbox", name="Its text").fill(
        "A_NAME_THAT_IS_VERY_LONG_" * 4 + "=1\nPATH=2"
    )
    page.get_by_role("button", name="Preview").tap()
    expect(page.get_by_role("list", name="Lines of the file")).to_be_visible()

    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    look(person, "secrets-phone")


def test_a_saved_environment_has_its_own(person: Person, machine: Machine, api: Api, path: Path):
    repositories = [{"url": api.served(path)}]
    asked = {"requestId": uuid4().hex, "name": "Vaulted", "repositories": repositories}
    environment = api("POST", "/environments", asked)["id"]
    page = opened(person)

    page.get_by_role("button", name="Applies to: Everything").click()
    page.get_by_role("option", name="Vaulted").click()
    expect(page.get_by_text("No secrets here yet")).to_be_visible()
    give(page, "NPM_TOKEN", CANARY)

    expect(row(page, "NPM_TOKEN")).to_be_visible()
    (there,) = machine.json("secret", "list", "--env", environment)
    assert [secret["name"] for secret in there["secrets"]] == ["NPM_TOKEN"]
    machine.json("env", "delete", environment)
