"""Waits for a condition, with a deadline that only a broken program reaches."""

import time
from collections.abc import Callable
from datetime import timedelta


def eventually[T](
    ask: Callable[[], T],
    within: timedelta = timedelta(seconds=30),
    *,
    every: timedelta = timedelta(milliseconds=20),
) -> T:
    """The first answer that is true; fails with the last one when the time is up."""
    deadline = time.monotonic() + within.total_seconds()
    while not (answer := ask()):
        assert time.monotonic() < deadline, f"still {answer!r} after {within}"
        time.sleep(every.total_seconds())
    return answer
