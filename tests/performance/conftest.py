"""What the folder measures on: the local AWS host alone, and the whole on one machine."""

from collections.abc import Generator

import pytest

from tests.local_aws import LocalAws
from tests.performance.reporting import pytest_terminal_summary, report
from tests.performance.stage import Stage, raised

__all__ = ["pytest_terminal_summary", "report"]


@pytest.fixture(scope="module")
def aws() -> Generator[LocalAws]:
    with LocalAws(checkout=None) as aws:
        yield aws


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Generator[Stage]:
    with raised(tmp_path_factory.mktemp("stage")) as stage:
        yield stage
