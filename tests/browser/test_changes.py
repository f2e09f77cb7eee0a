"""What a session has changed: read in its page, while it goes on and when its sandbox is gone."""

import re
from pathlib import Path
from uuid import uuid4

from playwright.sync_api import expect

from tests.browser.agent import Agent, command
from tests.browser.panel import Panel
from tests.browser.people import PHONE, People, Person
from tests.browser.pictures import look
from tests.browser.session import BOOTS_WITHIN, Session
from tests.browser.stories import tool, will_work
from tests.e2e.machine import Machine
from tests.e2e.talk import Api, Talk


def test_what_a_turn_changed_is_shown_and_what_the_next_one_does_comes_by_itself(
    people: People, api: Api, agent: Agent, path: Path
):
    owner, bea = people(), people("bea")
    talk = _worked(api, agent, path, owner)
    here, there, session = Panel(owner.page), Panel(bea.page), Session(owner.page)

    compared = session.row("^2 files changed so far")
    expect(compared).to_contain_text("Show changes", timeout=BOOTS_WITHIN)
    compared.click()
    expect(here.file("greet.py")).to_contain_text("Modified +1 added")
    expect(here.file("test_greet.py")).to_contain_text("Added +8 added")
    expect(here.lines("greet.py")).to_contain_text('+    parser.add_argument("--version"')
    expect(here.said(", after prompt 1")).to_be_visible()
    look(owner, "session-changes")

    bea.go(f"/session/{talk.id}")
    there.open()
    expect(there.file("greet.py")).to_be_visible()
    session.ask(agent.will("Make a file", command("echo 3 > three.txt"), {"text": "Made."}))
    expect(there.file("three.txt")).to_contain_text("Added +1 added", timeout=BOOTS_WITHIN)
    expect(there.lines("three.txt")).to_contain_text("+3")
    expect(there.said(", after prompt 2")).to_be_visible()
    expect(here.file("three.txt")).to_be_visible()


def test_it_is_compared_again_when_asked_and_kept_when_the_sandbox_is_gone(
    person: Person, api: Api, agent: Agent, path: Path
):
    talk = _worked(api, agent, path, person)
    panel = Panel(person.page)

    panel.open()
    expect(panel.said(", after prompt 1")).to_be_visible(timeout=BOOTS_WITHIN)
    panel.again.click()
    expect(panel.said("The files are being compared")).to_be_visible()
    expect(panel.said("The files are being compared")).to_have_count(0, timeout=BOOTS_WITHIN)
    expect(panel.said("has not answered")).to_have_count(0)
    talk.post("archive")
    stopped = panel.said("Sandbox stopped: this is what was handed in last")
    expect(stopped).to_be_visible(timeout=BOOTS_WITHIN)
    person.page.reload()
    panel.open()

    expect(panel.lines("greet.py")).to_contain_text("--version")
    expect(stopped).to_be_visible()
    expect(panel.again).to_have_count(0)
    look(person, "session-changes-kept")


def test_several_repositories_are_shown_in_their_order(
    person: Person, machine: Machine, api: Api, agent: Agent, path: Path
):
    site = tool(machine, path.parent / "site")
    asked = agent.will(
        "Change both",
        command(
            "echo x > greet/x.txt && printf '\\0\\1' > site/y.bin && git -C site rm -q README.md"
        ),
        {"text": "Both."},
    )
    talk = _opened(api, path, site)
    talk.ask(asked)
    person.go(f"/session/{talk.id}")
    panel, session = Panel(person.page), Session(person.page)

    session.expect_ends("Completed")
    expect(session.row("^3 files changed so far in 2 repositories")).to_be_visible(
        timeout=BOOTS_WITHIN
    )
    for name in ("greet", "site"):
        expect(session.timeline.get_by_text(f"Pushed {name} to")).to_be_visible()
    panel.open()

    expect(panel.whole.get_by_role("heading", level=3)).to_have_text(
        [re.compile("^greet"), re.compile("^site")]
    )
    expect(panel.file("README.md")).to_contain_text("Deleted")
    expect(panel.file("y.bin")).to_contain_text("binary")
    panel.file("y.bin").click()
    expect(panel.said("A binary file: it has no lines to show")).to_be_visible()
    look(person, "session-changes-several")


def test_it_is_read_by_keys_alone(person: Person, api: Api, agent: Agent, path: Path):
    _worked(api, agent, path, person)
    page, panel = person.page, Panel(person.page)

    page.keyboard.press("d")
    expect(panel.lines("greet.py")).to_be_visible(timeout=BOOTS_WITHIN)
    page.keyboard.press("j")
    expect(panel.file("greet.py")).to_be_focused()
    page.keyboard.press("Enter")
    expect(panel.lines("greet.py")).to_have_count(0)
    page.keyboard.press("j")
    expect(panel.file("test_greet.py")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(panel.file("greet.py")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog").get_by_text("Show or hide changes")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(panel.file("greet.py")).to_be_focused()
    page.keyboard.press("Escape")

    expect(panel.whole).to_have_count(0)


def test_on_a_phone_it_comes_over_the_page(people: People, api: Api, agent: Agent, path: Path):
    person = people(device=PHONE)
    page, panel, session = person.page, Panel(person.page), Session(person.page)
    long = agent.will("Write a long line", command(f"echo {'x' * 700} > long.txt"), {"text": "Ok."})
    talk = api.open(path)
    person.go(f"/session/{talk.id}")

    panel.open()
    expect(panel.said("No changes yet")).to_be_visible()
    look(person, "session-changes-none")
    page.get_by_role("button", name="Close changes").last.tap()
    expect(panel.whole).to_have_count(0)
    session.ask(long)
    session.expect_ends("Completed")
    session.row("^1 file changed so far").tap(timeout=BOOTS_WITHIN)
    expect(panel.lines("long.txt")).to_contain_text("xxx")

    assert panel.lines("long.txt").evaluate("(it) => it.scrollWidth <= it.clientWidth")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def _worked(api: Api, agent: Agent, path: Path, person: Person) -> Talk:
    """A session in which a turn has ended, and whose page is open."""
    talk = api.open(path)
    talk.ask(will_work(agent))
    person.go(f"/session/{talk.id}")
    Session(person.page).expect_ends("Completed")
    return talk


def _opened(api: Api, *paths: Path) -> Talk:
    repositories = [{"url": api.served(path)} for path in paths]
    asked = {"requestId": uuid4().hex, "repositories": repositories}
    talk = Talk(api, api("POST", "/sessions", asked)["id"])
    api.opened.append(talk)
    return talk
