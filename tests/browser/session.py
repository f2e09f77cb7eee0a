"""A session's page, as a person works with it: what there is by its role and name."""

import re
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

BOOTS_WITHIN = 90_000.0
RUNS_WITHIN = 60_000.0


@dataclass(frozen=True)
class Session:
    page: Page

    @property
    def timeline(self) -> Locator:
        return self.page.get_by_role("region", name="Timeline")

    @property
    def field(self) -> Locator:
        return self.page.get_by_role("textbox", name="Prompt")

    @property
    def queue(self) -> Locator:
        return self.page.get_by_role("region", name="Queue")

    @property
    def stop(self) -> Locator:
        return self.page.get_by_role("button", name="Stop", exact=True)

    @property
    def details(self) -> Locator:
        return self.page.get_by_role("complementary", name="Details")

    @property
    def prompts(self) -> Locator:
        return self.timeline.get_by_role("article")

    def prompt(self, number: int) -> Locator:
        return self.timeline.get_by_role("article", name=re.compile(rf"^Prompt {number}\b"))

    def row(self, name: str) -> Locator:
        """A tool call or a boot: one line that opens."""
        return self.timeline.get_by_role("button", name=re.compile(name))

    def at_rest(self, name: str) -> Locator:
        """That row, in the middle of the screen. While a list moves, none of it takes a click."""
        row = self.row(name)
        row.evaluate("(line) => line.scrollIntoView({ block: 'center' })")
        expect(row).not_to_have_css("pointer-events", "none")
        return row

    def ask(self, text: str) -> None:
        self.field.fill(text)
        self.page.get_by_role("button", name=re.compile("^(Send|Queue)$")).click()
        expect(self.field).to_have_value("")

    def choose(self, action: str) -> None:
        self.page.get_by_role("button", name="More actions").click()
        self.page.get_by_role("menuitem", name=action).click()

    def expect_ready(self) -> None:
        expect(self.page.get_by_role("button", name="Sandbox: Ready")).to_be_visible(
            timeout=BOOTS_WITHIN
        )

    def expect_ends(self, word: str, times: int = 1) -> None:
        found = self.timeline.get_by_text(word, exact=True)
        expect(found).to_have_count(times, timeout=BOOTS_WITHIN)
