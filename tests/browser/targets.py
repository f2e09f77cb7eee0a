"""Several repositories in order, as a person edits them: what there is by its role and name."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.home import SESSION
from tests.e2e.talk import Api


@dataclass(frozen=True)
class Editor:
    page: Page

    @property
    def rows(self) -> Locator:
        return self.page.get_by_role("list", name="Repositories, in order").get_by_role("listitem")

    def add(self, repository: Path) -> None:
        name = re.compile("^(Add|Choose) a repository")
        self.page.get_by_role("button", name=name).last.click()
        self.page.get_by_role("combobox", name=name).fill(str(repository))
        self.page.get_by_role("option", name=re.compile(f"^{repository.name}")).click()

    def move(self, name: str, where: str) -> None:
        self.page.get_by_role("button", name=f"Move {name} {where}").click()

    def use(self) -> None:
        self.page.get_by_role("button", name=re.compile("^Use th(is one|ese)$")).click()


def choose(page: Page, name: str) -> None:
    page.get_by_role("button", name=re.compile("^(Repository|Choose)")).click()
    page.get_by_role("option", name=name).click()


def opened(page: Page, api: Api) -> dict[str, Any]:
    """The session that the page shows, as the server has it."""
    found = SESSION.search(page.url)
    assert found is not None
    return api("GET", f"/sessions/{found[1]}")
