"""One report of all that was measured, told at the end of the run, with the circumstances.

For the conftest of each folder that measures: it takes both names from here.
"""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.performance.table import Report

OUT = "OUTBOARD_PERFORMANCE_OUT"
"""Names a file that gets the table as markdown."""

_REPORT = pytest.StashKey[Report]()


@pytest.fixture(scope="session")
def report(request: pytest.FixtureRequest) -> Report:
    return request.config.stash.setdefault(_REPORT, Report())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    report = terminalreporter.config.stash.get(_REPORT, None)
    if report is None or not report.rows:
        return
    terminalreporter.section("performance")
    for line in (*report.lines(), "", _circumstances()):
        terminalreporter.write_line(line)
    if out := os.environ.get(OUT):
        Path(out).write_text(f"{report.markdown()}\n{_circumstances()}\n")
    # Several folders measure, and each has this told.
    report.rows.clear()


def _circumstances() -> str:
    """Numbers of a busy machine are no numbers of an idle one."""
    load = ", ".join(f"{average:.1f}" for average in os.getloadavg())
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {os.cpu_count()} cores, load average {load}"
