"""The main job in a browser: asked for, watched, and understood afterwards."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser import history
from tests.browser.agent import Agent
from tests.browser.home import Home
from tests.browser.people import Person
from tests.browser.pictures import look
from tests.browser.session import BOOTS_WITHIN, Session
from tests.browser.stories import will_work
from tests.e2e.machine import Machine, git
from tests.e2e.talk import Api

BEFORE = (
    "Explain how sessions are restored",
    "Speed up the import of large files",
    "Fix the flaky date parser",
)


def test_a_change_is_asked_for_watched_and_understood(
    person: Person, machine: Machine, api: Api, agent: Agent, path: Path
):
    page, session = person.page, Session(person.page)
    asked = will_work(agent, waits_before=6)
    for title in BEFORE:
        history.told(machine, api.endpoint["user"], 30, title)
    page.reload()
    expect(page.get_by_role("button", name="Model: scripted-1")).to_be_visible()

    look(person, "home")
    name = Home(page).ask(asked, path)
    expect(session.prompt(1)).to_contain_text(asked)
    look(person, "session-booting")
    expect(session.row("^Sandbox ready")).to_be_visible(timeout=BOOTS_WITHIN)
    expect(session.row("^Ran python3 greet.py --version")).to_be_visible(timeout=BOOTS_WITHIN)
    look(person, "session-running")
    agent.go_on(asked)
    session.expect_ends("Completed")
    expect(session.row("^2 files changed so far")).to_be_visible(timeout=BOOTS_WITHIN)
    look(person, "session")

    session.at_rest("^Sandbox ready").click()
    expect(session.timeline.get_by_text("Cloning repository")).to_be_visible()
    expect(session.row(r"^Edited greet.py .1 added")).to_be_visible()
    diff = page.get_by_role("figure", name="Changes in greet.py")
    expect(diff).to_contain_text('version="greet 1.0"')
    session.row("^Ran python3 greet.py --version").press("Enter")
    expect(page.get_by_role("group", name="Output")).to_contain_text("greet 1.0")
    look(person, "session-opened")
    assert "--version" in git(path, "show", f"outboard/{name}:greet.py")
