"""A scripted server, and a user's machine with `outboard` on it."""

import os
import socket
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.fakes.api_server import ApiServer
from tests.shared.client.outboard import ROOT, Outboard, git_identity


@pytest.fixture
def server() -> Generator[ApiServer]:
    with ApiServer().running() as running:
        yield running


@pytest.fixture
def outboard(server: ApiServer, tmp_path: Path) -> Outboard:
    home = tmp_path / "home"
    home.mkdir()
    git_identity(home)
    state = server.write_state(tmp_path / "state")
    environment = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "OUTBOARD_STATE": str(state),
    }
    return Outboard(state, home, environment)


@pytest.fixture
def free_port() -> int:
    """Nobody listens there: it was just given back."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
