"""When the connection is lost, or the whole server: the page says so, and goes on by itself."""

from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.agent import Agent, command
from tests.browser.home import Home
from tests.browser.people import People, Person
from tests.browser.pictures import look
from tests.browser.session import BOOTS_WITHIN, Session
from tests.browser.stories import tool
from tests.e2e.machine import Machine
from tests.e2e.talk import Api
from tests.model import script

AWAY = ("ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION", "ERR_NETWORK", "ERR_EMPTY", "WebSocket")


def test_offline_is_said_and_what_happened_meanwhile_is_there_afterwards(
    person: Person, api: Api, agent: Agent, path: Path
):
    asked = agent.will("Go on without me", command("ls"), {"text": "All done."}, waits_before=1)
    talk = api.open(path)
    talk.ask(asked)
    page, session = person.page, Session(person.page)
    person.watch.allow(*AWAY)
    person.go(f"/session/{talk.id}")
    expect(session.row("^Ran ls")).to_be_visible(timeout=BOOTS_WITHIN)

    person.context.set_offline(True)
    expect(page.get_by_text("You are offline")).to_be_visible()
    look(person, "session-offline")
    agent.go_on(asked)
    talk.until_ended(1)
    expect(session.timeline.get_by_text("All done.")).to_have_count(0)
    person.context.set_offline(False)

    expect(session.timeline.get_by_text("All done.")).to_be_visible()
    session.expect_ends("Completed")
    expect(page.get_by_text("You are offline")).to_have_count(0)
    assert session.row("^Ran ls").count() == 1


@pytest.fixture
def demo(tmp_path: Path) -> Generator[Machine]:
    """A machine of its own, which may be killed: without a key, so with the demo model."""
    with Machine(tmp_path / "demo") as running:
        yield running


@pytest.fixture
def visitor(browser: Browser, demo: Machine) -> Generator[Person]:
    visitors = People(browser, demo)
    yield visitors()
    if found := visitors.leave():
        pytest.fail("\n".join(found), pytrace=False)


def test_a_restarted_server_is_gone_on_with_and_the_demo_model_is_said_to_be_one(
    visitor: Person, demo: Machine, tmp_path: Path
):
    path = tool(demo, tmp_path / "greet")
    page, session = visitor.page, Session(visitor.page)
    visitor.watch.allow(*AWAY, "status 50", "status of 50")
    page.reload()
    expect(page.get_by_role("complementary", name="Sidebar")).to_contain_text(
        "The demo model answers"
    )
    page.evaluate("() => { globalThis.neverLoadedAgain = true }")

    Home(page).ask(script({"tools": [_sleeps()]}, {"text": "Never said."}), path)
    expect(session.row("^Running sleep 600")).to_be_visible(timeout=BOOTS_WITHIN)
    demo.kill()
    expect(page.get_by_text("Reconnecting").first).to_be_visible()
    look(visitor, "session-reconnecting")
    demo.start()
    session.expect_ends("Failed")
    expect(page.get_by_text("Reconnecting")).to_have_count(0)
    session.ask(script({"text": "Back again."}))

    expect(session.timeline.get_by_text("Back again.")).to_be_visible(timeout=BOOTS_WITHIN)
    expect(session.row("^Ran sleep 600|^Running sleep 600")).to_have_count(1)
    expect(session.prompts).to_have_count(2)
    assert page.evaluate("() => globalThis.neverLoadedAgain")


def _sleeps() -> dict[str, object]:
    return {"name": "bash", "args": {"command": "sleep 600", "description": "as asked"}}
