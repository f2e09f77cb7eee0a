"""On a phone: everything fits, and what is beside the page elsewhere comes over it."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.agent import Agent
from tests.browser.home import Home
from tests.browser.people import PHONE, People
from tests.browser.session import Session
from tests.browser.stories import will_work


def test_the_main_job_is_done_with_one_hand(people: People, agent: Agent, path: Path):
    asked = will_work(agent)
    person = people(device=PHONE)
    page, session = person.page, Session(person.page)
    page.reload()

    assert _fits(page)
    Home(page).ask(asked, path)
    session.expect_ends("Completed")
    assert _fits(page)
    expect(session.row("^2 files changed so far")).to_be_visible()
    session.at_rest("^Ran python3").tap()
    expect(page.get_by_role("group", name="Output")).to_be_visible()
    expect(page.get_by_role("figure", name="Changes in greet.py")).to_be_visible()
    assert _fits(page)

    page.get_by_role("button", name="Show details").tap()
    expect(session.details).to_be_visible()
    assert _fits(page)
    page.get_by_role("button", name="Close details").last.tap()
    expect(session.details).to_have_count(0)
    page.get_by_role("button", name="Show sidebar").tap()
    expect(page.get_by_role("navigation", name="Inbox")).to_be_visible()
    page.get_by_role("link", name="New session").tap()

    expect(Home(page).prompt).to_be_visible()
    expect(page.get_by_role("navigation", name="Inbox")).to_be_hidden()


def _fits(page: Page) -> bool:
    """Nothing has to be scrolled sideways to be seen."""
    return page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
