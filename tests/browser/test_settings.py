"""Settings and the pages without a session: appearance, profile, and what is in no other test."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import People, Person
from tests.browser.pictures import look

SECTIONS = [
    *("profile", "appearance", "shortcuts", "sandbox"),
    *("pull-requests", "repositories", "environments", "secrets", "tokens", "command-line", "data"),
]


@pytest.mark.parametrize("section", SECTIONS)
def test_each_section_of_the_settings_is_for_everybody(person: Person, section: str):
    person.go(f"/settings/{section}")

    expect(person.page.get_by_role("main").get_by_role("heading", level=2)).to_be_visible()
    expect(person.page.get_by_role("status", name="Loading")).to_have_count(0)

    look(person, f"settings-{section}")


def test_an_appearance_stays_chosen_whatever_the_system_has(person: Person):
    page = person.page
    person.go("/settings/appearance")
    background = "() => getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)

    page.get_by_role("radio", name="Dark").check()
    dark = page.evaluate(background)
    page.reload()

    expect(page.get_by_role("radio", name="Dark")).to_be_checked()
    assert dark != light
    assert page.evaluate(background) == dark
    page.get_by_role("radio", name="System").check()
    assert page.evaluate(background) == light
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"(wanted) => ({background})() === wanted", arg=dark)


def test_who_changes_the_profile_is_called_so_at_once(people: People):
    cleo = people("cleo")
    page = cleo.page
    cleo.go("/settings/profile")

    page.get_by_role("textbox", name="Display name").fill("Cleo Example")
    page.get_by_role("textbox", name="E-mail").fill("cleo@example.com")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="You: Cleo Example")).to_be_visible()
    page.reload()

    expect(page.get_by_role("textbox", name="E-mail")).to_have_value("cleo@example.com")


def test_what_is_not_there_is_said(person: Person):
    person.watch.allow("404.*/api/sessions/nothinghere", "/api/sessions/nothinghere.*404")

    person.go("/session/nothinghere")
    expect(person.page.get_by_role("link", name="New session").last).to_be_visible()
    look(person, "session-missing")
    person.go("/nowhere/at/all")

    expect(person.page.get_by_role("heading", level=1)).to_be_visible()
    look(person, "page-missing")


def test_the_command_menu_and_the_keys_are_on_every_page(person: Person):
    page = person.page
    person.go("/sessions")
    expect(page.get_by_role("heading", name="Sessions")).to_be_visible()

    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    look(person, "shortcuts")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name="Search and commands")).to_be_visible()
    look(person, "command-menu")
    page.keyboard.type("light or", delay=5)
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
