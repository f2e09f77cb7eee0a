"""As much as a sandbox may hand in, in the panel: what is drawn of it, and what that costs."""

import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.agent import Agent, command
from tests.browser.panel import Panel
from tests.browser.people import Person
from tests.browser.session import BOOTS_WITHIN, Session
from tests.browser.tracing import tasks_of
from tests.e2e.talk import Api
from tests.performance.table import Report, milliseconds, percentile

pytestmark = pytest.mark.slow

LINES, FILES = 20_000, 900
"""A file of just under 512 KiB, and nearly as many files as a listing may have."""

MOST_ELEMENTS = 5_000
WHEELS = 60
WRITES = f"""python3 - <<'END'
from pathlib import Path
Path("big.py").write_text("".join(f"value_{{n}} = {{n}}  # a\\n" for n in range({LINES})))
for n in range({FILES}):
    Path(f"small_{{n:03}}.py").write_text(f"value = {{n}}\\n" * 5)
END"""
ELEMENTS = "() => document.querySelectorAll('*').length"


def test_the_most_that_is_handed_in_keeps_the_page_responsive(
    person: Person, api: Api, agent: Agent, path: Path, report: Report
):
    talk = api.open(path)
    talk.ask(agent.will("Change a great deal", command(WRITES), {"text": "Done."}))
    person.go(f"/session/{talk.id}")
    page, panel, session = person.page, Panel(person.page), Session(person.page)
    expect(session.row(f"^{FILES + 1} files changed so far")).to_be_visible(timeout=BOOTS_WITHIN)

    with tasks_of(page) as opening:
        panel.open()
        expect(panel.file("big.py")).to_be_visible()
    begun = time.monotonic()
    with tasks_of(page) as showing:
        panel.file("big.py").click()
        expect(panel.lines("big.py").first).to_contain_text("value_0 = 0")
    took = time.monotonic() - begun
    most = 0
    with tasks_of(page) as scrolling:
        panel.lines("big.py").first.hover()
        for _ in range(WHEELS):
            page.mouse.wheel(0, 1_500)
            page.wait_for_timeout(20)
            most = max(most, page.evaluate(ELEMENTS))

    report.tell(f"a file of {LINES:,} changed lines, until its first are there", milliseconds(took))
    for what, tasks in (("opened", opening), ("unfolded", showing), ("scrolled", scrolling)):
        longest = max(tasks, default=0.0)
        report.tell(
            f"main thread while changes of {FILES + 1} files are {what}, longest task",
            f"{milliseconds(longest)} (p95 {milliseconds(percentile(tasks, 95))})",
            budget="<= 200 ms",
            met=longest <= 0.200,
        )
    assert most < MOST_ELEMENTS
    _walk_past(panel)


def _walk_past(panel: Panel) -> None:
    """The file behind all those lines is one key away, and so is the way back."""
    for key, path in (("j", "small_000.py"), ("j", "small_001.py"), ("k", "small_000.py")):
        panel.page.keyboard.press(key)
        expect(panel.file(path)).to_be_focused()
    panel.page.keyboard.press("k")
    expect(panel.file("big.py")).to_be_focused()
    panel.page.keyboard.press("Tab")
    expect(panel.file("small_000.py")).to_be_focused()
