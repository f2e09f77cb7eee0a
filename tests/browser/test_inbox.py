"""The inbox: what needs attention, what goes on, what was; found, renamed, archived, restored."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.agent import Agent, command
from tests.browser.people import People, Person
from tests.browser.pictures import look
from tests.browser.session import BOOTS_WITHIN, Session
from tests.e2e.talk import Api, Talk
from tests.eventually import eventually

SOON = 10_000.0
"""The list is five seconds late at most; on a busy machine a little more."""


def _rows(page: Page, group: str, title: str) -> Locator:
    inbox = page.get_by_role("navigation", name="Inbox")
    return inbox.get_by_role("region", name=group).get_by_role("listitem").filter(has_text=title)


def test_a_session_moves_through_the_inbox_and_is_unread_for_each_by_itself(
    people: People, api: Api, agent: Agent, path: Path
):
    asked = agent.will("Inbox, please", command("ls"), {"text": "Done here."}, waits_before=1)
    owner, bea = people(), people("bea")
    talk = api.open(path)
    talk.ask(asked)

    expect(_rows(owner.page, "In progress", asked)).to_be_visible(timeout=SOON)
    bea.go(f"/session/{talk.id}")
    Session(bea.page).ask(agent.will("And once more", {"text": "More."}))  # who took part is told
    bea.go("/")
    expect(_rows(bea.page, "In progress", asked)).to_be_visible(timeout=SOON)
    talk.wait(lambda: talk.view()["running"] == 1)
    agent.go_on(asked)
    talk.until_ended(2)
    for person in (owner, bea):
        unread = _rows(person.page, "Needs attention", asked)
        expect(unread).to_contain_text("Unread", timeout=SOON)
    look(owner, "inbox")
    _rows(owner.page, "Needs attention", asked).get_by_role("link").click()

    expect(_rows(owner.page, "Recent", asked)).to_be_visible(timeout=SOON)
    expect(_rows(owner.page, "Needs attention", asked)).to_have_count(0)
    bea.page.reload()
    expect(_rows(bea.page, "Needs attention", asked)).to_be_visible(timeout=SOON)


def test_a_session_is_renamed_and_found_by_its_new_name(
    person: Person, api: Api, agent: Agent, path: Path
):
    talk = _answered(api, agent, path, "Say yes")
    page, session = person.page, Session(person.page)
    person.go(f"/session/{talk.id}")
    session.expect_ends("Completed")

    session.choose("Rename")
    page.get_by_role("textbox", name="Title", exact=True).fill("A quokka's name")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("A quokka's name"))).to_be_visible()
    page.get_by_role("textbox", name="Search sessions by title or repository").fill("quokka")

    expect(_rows(page, "Found", "A quokka's name")).to_be_visible(timeout=SOON)
    eventually(lambda: talk.view()["title"] == "A quokka's name")


def test_an_archived_session_is_out_of_the_way_and_can_be_restored(
    person: Person, api: Api, agent: Agent, path: Path
):
    talk = _answered(api, agent, path, "Put me away")
    page, session = person.page, Session(person.page)
    person.go(f"/session/{talk.id}")
    listed = page.get_by_role("list", name="Sessions").get_by_role("listitem")

    session.choose("Archive")
    asked = page.get_by_role("dialog", name="Archive this session?")
    asked.get_by_role("button", name="Archive").click()
    expect(page.get_by_text("This session is archived.")).to_be_visible()
    look(person, "session-archived")
    person.go("/sessions")
    expect(listed.first).to_be_visible()
    expect(listed.filter(has_text="Put me away")).to_have_count(0)
    page.get_by_role("radio", name="Archived").check()
    expect(listed.filter(has_text="Put me away")).to_be_visible()
    look(person, "sessions-archived")

    person.go("/settings/data")
    page.get_by_role("button", name="Unarchive Put me away").click()
    expect(page.get_by_role("button", name="Unarchive Put me away")).to_have_count(0)
    person.go(f"/session/{talk.id}")
    session.ask(agent.will("And now", {"text": "Restored."}))
    expect(session.timeline.get_by_text("Restored.")).to_be_visible(timeout=BOOTS_WITHIN)


def _answered(api: Api, agent: Agent, path: Path, asked: str) -> Talk:
    talk = api.open(path)
    talk.ask(agent.will(asked, {"text": "Yes."}))
    talk.until_ended(1)
    return talk
