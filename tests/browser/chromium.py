"""A real browser, as the distribution packages it: nothing is downloaded for the tests."""

import shutil
from collections.abc import Generator
from contextlib import contextmanager

from playwright.sync_api import Browser, expect, sync_playwright

PROGRAM = shutil.which("chromium")

ARGUMENTS = ("--disable-gpu", "--font-render-hinting=none", "--force-color-profile=srgb")
"""Pictures are the same on each machine, as far as that goes."""


PATIENCE = 20_000.0
"""For what a page does by itself; only a broken one takes so long, also on a busy machine."""


@contextmanager
def launched() -> Generator[Browser]:
    """Ends with its processes, also when the tests do not get to say so: Playwright's driver sees
    the end of its standard input.
    """
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()
