"""How pull requests are wanted and what is said about a repository, in the settings."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.people import Person
from tests.browser.pictures import look
from tests.e2e.machine import Machine


def choose(page: Page, label: str, repository: Path) -> None:
    page.get_by_role("button", name=f"{label}: ").click()
    page.get_by_role("combobox").fill(repository.name)
    page.get_by_role("option").first.click()


def test_a_repository_wants_its_pull_requests_otherwise_and_then_as_all(person: Person, path: Path):
    page = person.page
    person.go("/settings/pull-requests")
    page.get_by_role("textbox", name="Label").fill("from outboard")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Save")).to_be_disabled()

    choose(page, "Applies to", path)
    expect(page.get_by_text("It has what everything has.", exact=True)).to_be_visible()
    expect(page.get_by_role("textbox", name="Label")).to_have_value("from outboard")
    page.get_by_role("radio", name="Always drafts").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Its own.", exact=True)).to_be_visible()
    look(person, "settings-pull-requests-of-one")
    page.get_by_role("button", name="Have what everything has").click()

    expect(page.get_by_role("radio", name="Drafts when asked")).to_be_checked()


def test_what_is_said_about_a_repository_is_there_again(
    person: Person, machine: Machine, path: Path
):
    page = person.page
    machine.json("env", "create", "Workshop", "--repo", str(path))
    person.go("/settings/repositories")
    choose(page, "Repository", path)

    page.get_by_role("textbox", name="Description").fill("It greets people")
    page.get_by_role("textbox", name="Aliases").fill("hello, hello , greeter")
    page.get_by_role("button", name="Default environment: None").click()
    page.get_by_role("option", name="Workshop").click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    look(person, "settings-repositories-of-one")
    page.reload()
    choose(page, "Repository", path)

    expect(page.get_by_role("textbox", name="Description")).to_have_value("It greets people")
    expect(page.get_by_role("textbox", name="Aliases")).to_have_value("hello, greeter")
    expect(page.get_by_role("button", name="Default environment: Workshop")).to_be_visible()
