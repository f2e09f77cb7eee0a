"""The home page, as a person works with it: what there is by its role and name."""

import re
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

SESSION = re.compile(r"/session/([a-z0-9]+)$")


@dataclass(frozen=True)
class Home:
    page: Page

    @property
    def prompt(self) -> Locator:
        return self.page.get_by_role("textbox", name="What should be worked on?")

    @property
    def start(self) -> Locator:
        return self.page.get_by_role("button", name="Start the session")

    def choose(self, repository: Path) -> None:
        """One of this machine: of those of one name it is the one at that place."""
        self.page.get_by_role("button", name=re.compile("^Repository")).click()
        self.page.get_by_role("combobox", name=re.compile("^Repository")).fill(str(repository))
        self.page.get_by_role("option", name=re.compile(f"^{repository.name}")).click()

    def ask(self, text: str, repository: Path) -> str:
        """The id of the session that has opened."""
        self.choose(repository)
        self.prompt.fill(text)
        self.start.click()
        expect(self.page).to_have_url(SESSION)
        found = SESSION.search(self.page.url)
        assert found is not None
        return found[1]
