"""More than one turn: what waits, what is taken back, what is stopped."""

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.agent import Agent, command
from tests.browser.people import Device, People, Person
from tests.browser.pictures import look
from tests.browser.session import BOOTS_WITHIN, Session
from tests.e2e.talk import Api

TALL: Device = {"viewport": {"width": 1280, "height": 4_000}}
"""All of a short timeline is drawn."""


def test_follow_ups_wait_one_is_taken_back_and_stopping_lets_the_next_begin(
    person: Person, api: Api, agent: Agent, path: Path
):
    slow = agent.will("Look around slowly", command("ls"), {"text": "Seen."}, waits_before=1)
    quick = agent.will("Say hello twice", {"text": "Hello, hello."})
    talk = api.open(path)
    talk.ask(slow)
    page, session = person.page, Session(person.page)
    person.go(f"/session/{talk.id}")

    expect(session.row("^Ran ls")).to_be_visible(timeout=BOOTS_WITHIN)
    session.field.fill(quick)
    expect(page.get_by_text("Will be queued", exact=True)).to_be_visible()
    session.ask(quick)
    session.ask("Never mind this one")
    expect(session.queue.get_by_role("listitem")).to_have_count(2)
    look(person, "session-queue")
    page.get_by_role("button", name="Cancel queued prompt: Never mind this one").click()
    expect(session.queue.get_by_role("listitem")).to_have_count(1)
    session.stop.click()

    session.expect_ends("Stopped")
    session.expect_ends("Completed")
    expect(session.timeline.get_by_text("Hello, hello.")).to_be_visible()
    expect(session.queue).to_have_count(0)
    assert talk.ends() == [(3, "cancelled"), (1, "stopped"), (2, "completed")]


def test_a_page_that_is_loaded_again_mid_run_has_lost_nothing_and_shows_nothing_twice(
    people: People, api: Api, agent: Agent, path: Path
):
    person = people(device=TALL)
    words = " ".join(f"word-{number}" for number in range(200))
    asked = agent.will(
        "Tell me a lot", command("ls"), {"text": words, "delay": 0.1, "chunk": 40}, waits_before=1
    )
    talk = api.open(path)
    talk.ask(asked)
    page, session = person.page, Session(person.page)
    person.go(f"/session/{talk.id}")
    expect(session.row("^Ran ls")).to_be_visible(timeout=BOOTS_WITHIN)
    session.ask(agent.will("And then stop", {"text": "Stopped talking."}))

    page.reload()
    expect(session.prompts).to_have_count(1)
    expect(session.queue.get_by_role("listitem")).to_have_count(1)
    agent.go_on(asked)
    expect(session.timeline.get_by_text(re.compile("word-20 "))).to_be_visible()
    page.reload()

    session.expect_ends("Completed", 2)
    assert re.findall(r"word-\d+", session.timeline.inner_text()) == words.split()
    expect(session.prompts).to_have_count(2)
    expect(session.prompt(1)).to_contain_text(asked)
    expect(session.prompt(2)).to_contain_text("And then stop")
    expect(session.timeline.get_by_text("Stopped talking.")).to_have_count(1)
    expect(session.row("^Ran ls")).to_have_count(1)
