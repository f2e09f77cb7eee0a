"""A real OpenCode, installed once into the checkout, on a scripted model, in a fresh repository."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox_bridge.harness.family import Family
from tests.model import Model, running_model
from tests.sandbox_bridge.harness.world import Agent, World

ROOT = Path(__file__).resolve().parents[3]
INSTALLED = ROOT / ".build" / "opencode"


@pytest.fixture(scope="session")
def opencode() -> Path:
    """The binary that the sandbox template pins; installed as the template is built."""
    if not (INSTALLED / "node_modules").is_dir():
        _install()
    return INSTALLED / "node_modules" / "opencode-linux-x64" / "bin" / "opencode"


@pytest.fixture
def model() -> Iterator[Model]:
    with running_model() as running:
        yield running


@pytest.fixture
def world(tmp_path: Path, opencode: Path, model: Model) -> Iterator[World]:
    """For a test that starts, stops or breaks the agent itself; what it leaves is killed."""
    world = _world(tmp_path, opencode, model)
    yield world
    for left in Family(str(world.state)).members():
        os.kill(left.pid, signal.SIGKILL)


@pytest.fixture(scope="session")
def agent(tmp_path_factory: pytest.TempPathFactory, opencode: Path) -> Iterator[Agent]:
    """Up for all tests, on a model of the user's own and on Anthropic's wire."""
    with running_model() as running:
        world = _world(tmp_path_factory.mktemp("agent"), opencode, running)
        variables = {
            "ANTHROPIC_API_KEY": "a-key",
            "ANTHROPIC_BASE_URL": running.anthropic_url,
            "OPENAI_API_KEY": "o-key",
            "OPENAI_BASE_URL": running.openai_url,
            "OUTBOARD_MODEL": "local/coder",
        }
        agent = Agent(world, variables, "custom/local/coder")
        yield agent
        agent.close()


def _world(root: Path, opencode: Path, model: Model) -> World:
    world = World(root, opencode, model)
    world.make_repository({"greeting.txt": "hello\n"})
    return world


def _install() -> None:
    """Into place in one step: two test runs may start at once."""
    unfinished = INSTALLED.with_name(f"opencode.{os.getpid()}")
    unfinished.mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / "sandbox_bridge" / name, unfinished)
    command = ["npm", "ci", "--omit=dev", "--ignore-scripts", "--prefix", str(unfinished)]
    subprocess.run(command, check=True, capture_output=True)
    if not INSTALLED.exists():
        unfinished.rename(INSTALLED)
