"""The main job without a pointer: whatever is needed is reached and done by keys."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.agent import Agent, command
from tests.browser.home import SESSION, Home
from tests.browser.people import Person
from tests.browser.session import BOOTS_WITHIN, Session

MOST_TABS = 40


def test_a_change_is_asked_for_followed_up_and_stopped_by_keys_alone(
    person: Person, agent: Agent, path: Path
):
    first = agent.will("Look around by keys", command("ls"), {"text": "Seen."})
    second = agent.will("Look again by keys", command("pwd"), {"text": "Never."}, waits_before=1)
    page, session = person.page, Session(person.page)
    page.reload()

    expect(Home(page).prompt).to_be_focused()
    expect(page.get_by_role("button", name="Model: scripted-1")).to_be_visible()
    _tab_to(page, "Repository")
    page.keyboard.press("Enter")
    page.keyboard.type(str(path))
    page.keyboard.press("Enter")
    page.keyboard.press("c")
    expect(Home(page).prompt).to_be_focused()
    page.keyboard.type(first)
    page.keyboard.press("Enter")
    expect(page).to_have_url(SESSION)
    session.expect_ends("Completed")

    page.keyboard.press("Escape")
    page.keyboard.press("i")
    expect(session.field).to_be_focused()
    page.keyboard.type(second)
    page.keyboard.press("Enter")
    expect(session.row("^Ran pwd")).to_be_visible(timeout=BOOTS_WITHIN)
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    expect(session.timeline.get_by_role("button", expanded=True)).to_have_count(1)
    page.keyboard.press("s")
    expect(page.get_by_role("dialog", name="Stop what runs?")).to_be_visible()
    page.keyboard.press("Enter")

    session.expect_ends("Stopped")


def _tab_to(page: Page, name: str) -> None:
    """Until something of that name has the focus, which everybody can see."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        label, shown = page.evaluate(_FOCUSED)
        assert shown, f"nothing shows that {label!r} has the focus"
        if label.startswith(name):
            return
    raise AssertionError(f"{name!r} is not reached by {MOST_TABS} tabs")


_FOCUSED = """() => {
  const element = document.activeElement;
  if (element === document.body) return ["", true]; // between the last and the first
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const shown = (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
  return [element.getAttribute("aria-label") ?? element.textContent.trim(), shown];
}"""
