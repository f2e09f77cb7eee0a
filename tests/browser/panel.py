"""The panel with a session's changes, as a person reads it: what there is by its role and name."""

import re
from dataclasses import dataclass

from playwright.sync_api import Locator, Page


@dataclass(frozen=True)
class Panel:
    page: Page

    @property
    def whole(self) -> Locator:
        return self.page.get_by_role("complementary", name="Changes")

    @property
    def again(self) -> Locator:
        return self.whole.get_by_role("button", name="Compare again")

    def file(self, path: str) -> Locator:
        return self.whole.get_by_role("button", name=re.compile(rf"^{re.escape(path)} "))

    def lines(self, path: str) -> Locator:
        return self.whole.get_by_role("figure", name=f"Changes in {path}")

    def open(self) -> None:
        self.page.get_by_role("button", name="Show changes", exact=True).click()

    def said(self, text: str) -> Locator:
        return self.whole.get_by_text(text)
