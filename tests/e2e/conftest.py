"""One machine with a scripted model behind both of its APIs, for all tests that can share it."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.e2e.machine import Machine
from tests.model import Model, running_model

MODEL = "custom/scripted-1"
CLAUDE = "anthropic/claude-haiku-4-5"


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
    environment = {
        "OPENAI_BASE_URL": model.openai_url,
        "OPENAI_API_KEY": "sk-test",
        "OUTBOARD_MODEL": "scripted-1",
        "ANTHROPIC_BASE_URL": model.anthropic_url,
        "ANTHROPIC_API_KEY": "sk-ant-test",
    }
    with Machine(tmp_path_factory.mktemp("machine"), environment) as running:
        yield running
