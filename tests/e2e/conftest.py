"""One machine with a scripted model behind both of its APIs, for all tests that can share it."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.e2e.at_github import AtGitHub, machine_at_github
from tests.e2e.machine import Machine
from tests.e2e.outside import Provider
from tests.e2e.talk import Api
from tests.model import Model, running_model

MODEL = "custom/scripted-1"
CLAUDE = "anthropic/claude-haiku-4-5"

CLOCKS = {
    "BRIDGE_HEARTBEAT_MS": "1000",
    "CONNECT_WATCHDOG_MS": "15000",
    "FINAL_SNAPSHOT_BUFFER_MS": "20000",
    "HEARTBEAT_TIMEOUT_MS": "6000",
    "SANDBOX_BOOT_TIMEOUT_MS": "40000",
    "SANDBOX_CREATION_INTERVAL_MS": "100",
    "SANDBOX_INACTIVITY_TIMEOUT_MS": "4000",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="session")
def model() -> Generator[Model]:
    with running_model() as running:
        yield running


@pytest.fixture(scope="session")
def machine(model: Model, tmp_path_factory: pytest.TempPathFactory) -> Generator[Machine]:
    with Machine(tmp_path_factory.mktemp("machine"), model.environment) as running:
        yield running


@pytest.fixture(scope="session")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Generator[Machine]:
    """With its clocks shortened, and the demo model, which follows a script too."""
    with Machine(tmp_path_factory.mktemp("hasty"), CLOCKS) as running:
        yield running


@pytest.fixture(scope="session")
def at(model: Model, tmp_path_factory: pytest.TempPathFactory) -> Generator[AtGitHub]:
    admitted = "ada,bob,carol"
    with machine_at_github(tmp_path_factory.mktemp("at-github"), model, admitted) as running:
        yield running


@pytest.fixture(scope="module")
def api(hasty: Machine) -> Generator[Api]:
    with Api(hasty) as asking:
        yield asking


@pytest.fixture(scope="module")
def provider(hasty: Machine) -> Provider:
    return Provider(hasty)
