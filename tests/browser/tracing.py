"""What a page's main thread did, as the browser itself recorded it."""

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page

WORTH_COUNTING = 0.001
_TRACED = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"]


@contextmanager
def tasks_of(page: Page) -> Generator[list[float]]:
    """Seconds of each that was worth counting; they are there when it is over."""
    browser = page.context.browser
    assert browser is not None
    tasks = list[float]()
    browser.start_tracing(page=page, categories=_TRACED)
    yield tasks
    tasks += _main_thread_tasks(browser.stop_tracing())


def _main_thread_tasks(trace: bytes) -> Iterator[float]:
    """Seconds of each that was worth counting, on the main thread of the page's process."""
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"].get("name") == "CrRendererMain"
    }
    for event in events:
        if event["name"] == "RunTask" and (event["pid"], event["tid"]) in threads:
            seconds = event.get("dur", 0) / 1e6
            if seconds >= WORTH_COUNTING:
                yield seconds
