"""A real browser, as the distribution packages it: nothing is downloaded for the tests."""

import shutil
from collections.abc import Generator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

PROGRAM = shutil.which("chromium")

ARGUMENTS = ("--disable-gpu", "--font-render-hinting=none", "--force-color-profile=srgb")
"""Pictures are the same on each machine, as far as that goes."""


@contextmanager
def launched() -> Generator[Browser]:
    """Ends with its processes, also when the tests do not get to say so: Playwright's driver sees
    the end of its standard input.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()
