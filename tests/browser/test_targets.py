"""What a session works on, chosen in a browser: several in order, an environment, or nothing."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from tests.browser.agent import Agent, command
from tests.browser.home import SESSION, Home
from tests.browser.people import PHONE, People, Person
from tests.browser.pictures import look
from tests.browser.session import Session
from tests.browser.targets import Editor, choose, opened
from tests.e2e.machine import git
from tests.e2e.talk import Api


def test_a_session_of_two_repositories_in_the_chosen_order(
    shop: tuple[Path, Path], person: Person, api: Api, agent: Agent
):
    store, payments = shop
    page, home = person.page, Home(person.page)
    home.choose(payments)
    page.get_by_role("button", name="Add repositories").click()
    editor = Editor(page)

    editor.add(store)
    expect(editor.rows).to_have_count(2)
    look(person, "target-set")
    editor.move("store", "up")
    expect(editor.rows.first).to_contain_text("store")
    expect(editor.rows.first).to_contain_text("Primary")
    editor.use()
    expect(page.get_by_role("button", name="Repositories: store, payments")).to_be_visible()
    look(person, "home-several")
    asked = agent.will("Say where you are", command("ls /workspace"))
    home.prompt.fill(asked)
    home.start.click()
    expect(page).to_have_url(SESSION)

    view = opened(page, api)
    assert [each["name"] for each in view["repositories"]] == ["store", "payments"]
    Session(page).expect_ends("Completed")
    page.goto(page.url.partition("/session/")[0])
    expect(page.get_by_role("button", name="Repositories: store, payments")).to_be_visible()


def test_rows_are_put_in_order_and_removed_by_keyboard(shop: tuple[Path, Path], person: Person):
    store, payments = shop
    page = person.page
    Home(page).choose(payments)
    page.get_by_role("button", name="Add repositories").press("Enter")
    editor = Editor(page)
    editor.add(store)

    page.get_by_role("button", name="Move store up").press("Enter")
    expect(page.get_by_role("button", name="Move store down")).to_be_focused()
    page.keyboard.press("Alt+ArrowDown")
    expect(editor.rows.first).to_contain_text("payments")
    expect(page.get_by_role("button", name="Move store up")).to_be_focused()
    page.get_by_role("button", name="Remove store").press("Enter")
    expect(page.get_by_role("button", name="Remove payments")).to_be_focused()
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Add repositories")).to_be_focused()
    expect(page.get_by_role("button", name="Repository: payments")).to_be_visible()


def test_a_branch_is_offered_by_the_host_or_typed(
    shop: tuple[Path, Path], person: Person, api: Api
):
    store, _ = shop
    git(store, "branch", "next")
    page, home = person.page, Home(person.page)
    home.choose(store)

    page.get_by_role("button", name="Branch: main").click()
    expect(page.get_by_role("option", name="next")).to_be_visible()
    look(person, "target-branches")
    page.get_by_role("combobox", name=re.compile("^Branch")).fill("no branch")
    expect(page.get_by_text("A branch begins with a letter or digit")).to_be_visible()
    page.get_by_role("combobox", name=re.compile("^Branch")).fill("made/elsewhere")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Branch: made/elsewhere")).to_be_visible()
    page.get_by_role("button", name="Branch: made/elsewhere").click()
    page.get_by_role("option", name="next").click()
    home.prompt.fill("Look around")
    home.start.click()
    expect(page).to_have_url(SESSION)

    assert [each["branch"] for each in opened(page, api)["repositories"]] == ["next"]


def test_a_session_of_no_repository(person: Person, api: Api, agent: Agent):
    page, home = person.page, Home(person.page)
    asked = agent.will("What is a monad?", {"text": "A monoid among endofunctors."})
    choose(page, "No repository")
    expect(page.get_by_role("button", name="Repository: No repository")).to_be_visible()
    home.prompt.fill(asked)
    look(person, "home-no-repository")
    home.start.click()
    expect(page).to_have_url(SESSION)

    Session(page).expect_ends("Completed")
    assert opened(page, api)["repositories"] == []
    page.get_by_role("button", name="Hide details").click()
    expect(page.get_by_role("main").get_by_text("No repository")).to_be_visible()


def test_how_the_code_hosts_list_is_told(person: Person):
    person.watch.allow("503.*/api/forge", "/api/forge.*503")
    page = person.page
    hosts = _Hosts()
    page.route("**/api/forge/repositories*", hosts.answer)
    page.get_by_role("button", name=re.compile("^(Repository|Choose)")).click()
    popover = page.get_by_role("combobox", name=re.compile("^Repository")).locator("xpath=../..")

    expect(popover.get_by_role("alert")).to_contain_text("GitHub does not answer now")
    look(person, "target-hosts-failing")
    hosts.found, hosts.as_of = ["acme/api", "acme/web"], datetime.now(UTC) - timedelta(minutes=40)
    popover.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("option", name="acme/web")).to_be_visible()
    expect(popover.get_by_role("status")).to_contain_text("This is how it was 40m ago.")
    look(person, "target-hosts-stale")
    page.get_by_role("option", name="acme/web").click()

    expect(page.get_by_role("button", name="Repository: acme/web")).to_be_visible()


def test_on_a_phone_a_set_is_made_with_one_hand(shop: tuple[Path, Path], people: People):
    store, payments = shop
    page = people(device=PHONE).page
    Home(page).choose(store)
    page.get_by_role("button", name="Add repositories").tap()
    editor = Editor(page)
    editor.add(payments)
    assert _fits(page)

    page.get_by_role("button", name="Move payments up").tap()
    expect(editor.rows.first).to_contain_text("payments")
    editor.use()

    expect(page.get_by_role("button", name="Repositories: payments, store")).to_be_visible()
    assert _fits(page)


@dataclass
class _Hosts:
    """What code hosts would say that this machine does not go to."""

    found: list[str] = field(default_factory=list[str])
    as_of: datetime | None = None

    def answer(self, route: Route) -> None:
        if self.as_of is None:
            refused = {"code": "unavailable", "message": "GitHub does not answer now"}
            route.fulfill(status=503, json=refused)
            return
        listed = [
            {
                "url": f"https://github.com/{name}.git",
                "fullName": name,
                "description": "",
                "defaultBranch": "main",
                "private": True,
                "archived": False,
            }
            for name in self.found
        ]
        route.fulfill(json={"repositories": listed, "problems": [], "asOf": self.as_of.isoformat()})


def _fits(page: Page) -> bool:
    """Nothing has to be scrolled sideways to be seen."""
    return page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
