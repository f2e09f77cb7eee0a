"""Two people in one session: each sees the other, and whose work is whose."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.agent import Agent, command
from tests.browser.people import People
from tests.browser.pictures import look
from tests.browser.session import BOOTS_WITHIN, Session
from tests.e2e.machine import git
from tests.e2e.talk import Api


def test_both_see_each_other_and_a_prompt_is_its_authors(
    people: People, api: Api, agent: Agent, path: Path
):
    owner, bea = people(), people("bea")
    talk = api.open(path)
    talk.ask(agent.will("Make a first file", command("echo 1 > one.txt"), {"text": "Made."}))
    owner.go(f"/session/{talk.id}")
    here, there = Session(owner.page), Session(bea.page)
    here.expect_ends("Completed")

    owner.context.grant_permissions(["clipboard-read", "clipboard-write"])
    owner.page.get_by_role("button", name="Copy link").click()
    bea.page.goto(owner.page.evaluate("() => navigator.clipboard.readText()"))
    expect(owner.page.get_by_role("list", name="Here now")).to_be_visible()
    expect(bea.page.get_by_role("list", name="Here now")).to_be_visible()
    there.ask(agent.will("Make a second file", command("echo 2 > two.txt"), {"text": "Again."}))

    expect(here.timeline.get_by_role("article", name="Prompt 2 by bea")).to_be_visible()
    here.expect_ends("Completed", 2)
    present = here.details.get_by_role("region", name="Participants").get_by_role("listitem")
    expect(present).to_have_count(2)
    expect(present.filter(has_text="bea")).to_contain_text("1 prompt")
    expect(here.row("^2 files changed so far")).to_be_visible(timeout=BOOTS_WITHIN)
    look(owner, "session-together")
    bea.page.close()
    expect(owner.page.get_by_role("list", name="Here now")).to_have_count(0, timeout=BOOTS_WITHIN)
    log = git(path, "log", "--format=%an", f"main..{talk.branch}").split("\n")
    assert log[:2] == ["bea", "Ada Example"]
