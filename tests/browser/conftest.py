"""One machine and one browser for all tests of the folder; in each test new browser windows."""

from collections.abc import Generator, Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import chromium
from tests.browser.agent import Agent, ready
from tests.browser.people import People, Person
from tests.browser.stories import tool
from tests.e2e.machine import Machine, repository
from tests.e2e.talk import Api
from tests.model import Model
from tests.performance.reporting import pytest_terminal_summary, report

__all__ = ["pytest_terminal_summary", "report"]

WITHOUT = "chromium is not installed: nothing is known about the client in a real browser"


def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.e2e)
            if chromium.PROGRAM is None:
                item.add_marker(pytest.mark.skip(reason=WITHOUT))


@pytest.fixture(scope="package")
def directed() -> Generator[tuple[Agent, Model]]:
    with ready() as running:
        yield running


@pytest.fixture(scope="package")
def model(directed: tuple[Agent, Model]) -> Model:
    return directed[1]


@pytest.fixture
def agent(directed: tuple[Agent, Model]) -> Generator[Agent]:
    yield directed[0]
    directed[0].rest()


@pytest.fixture(scope="package")
def machine(model: Model, tmp_path_factory: pytest.TempPathFactory) -> Generator[Machine]:
    with Machine(tmp_path_factory.mktemp("browser"), model.environment) as running:
        yield running


# Not longer than this folder's tests: while it lives, `asyncio.run` can't be used beside it.
@pytest.fixture(scope="package")
def browser() -> Generator[Browser]:
    with chromium.launched() as running:
        yield running


@pytest.fixture(scope="package")
def everybody(browser: Browser, machine: Machine) -> People:
    return People(browser, machine)


@pytest.fixture
def people(everybody: People) -> Generator[People]:
    """Fails a test in whose pages something went wrong, whatever it has asserted."""
    yield everybody
    if found := everybody.leave():
        pytest.fail("\n".join(found), pytrace=False)


@pytest.fixture
def person(people: People) -> Person:
    return people()


@pytest.fixture
def api(machine: Machine) -> Generator[Api]:
    with Api(machine) as asking:
        yield asking


@pytest.fixture
def path(machine: Machine, tmp_path: Path) -> Path:
    """A repository that the home page offers."""
    return tool(machine, tmp_path / "greet")


@pytest.fixture
def shop(machine: Machine, tmp_path: Path) -> tuple[Path, Path]:
    """Two repositories that the home page offers, to be worked on together."""
    paths = tmp_path / "store", tmp_path / "payments"
    for path in paths:
        repository(path, README__md=f"# {path.name}\n")
        machine.json("repo", "add", str(path))
    return paths
