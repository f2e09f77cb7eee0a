"""Waits for what a page alone can't tell, while its events go on coming in."""

import time
from collections.abc import Callable
from datetime import timedelta

from playwright.sync_api import Page

EVERY = 50.0


def until[T](page: Page, ask: Callable[[], T], within: timedelta = timedelta(seconds=30)) -> T:
    """The first answer that is true; fails with the last one when the time is up."""
    deadline = time.monotonic() + within.total_seconds()
    while not (answer := ask()):
        assert time.monotonic() < deadline, f"still {answer!r} after {within}"
        page.wait_for_timeout(EVERY)
    return answer
