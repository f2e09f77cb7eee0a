"""One report for the folder, told at the end of the run; the machine that it was measured on."""

import os
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.local_aws import LocalAws
from tests.performance.stage import Stage, raised
from tests.performance.table import Report

OUT = "OUTBOARD_PERFORMANCE_OUT"
"""Names a file that gets the table as markdown."""

_REPORT = pytest.StashKey[Report]()


@pytest.fixture(scope="session")
def report(request: pytest.FixtureRequest) -> Report:
    return request.config.stash.setdefault(_REPORT, Report())


@pytest.fixture(scope="module")
def aws() -> Generator[LocalAws]:
    with LocalAws(checkout=None) as aws:
        yield aws


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Generator[Stage]:
    with raised(tmp_path_factory.mktemp("stage")) as stage:
        yield stage


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    report = terminalreporter.config.stash.get(_REPORT, None)
    if report is None or not report.rows:
        return
    terminalreporter.section("performance")
    for line in (*report.lines(), "", _circumstances()):
        terminalreporter.write_line(line)
    if out := os.environ.get(OUT):
        Path(out).write_text(f"{report.markdown()}\n{_circumstances()}\n")


def _circumstances() -> str:
    """Numbers of a busy machine are no numbers of an idle one."""
    load = ", ".join(f"{average:.1f}" for average in os.getloadavg())
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {os.cpu_count()} cores, load average {load}"
