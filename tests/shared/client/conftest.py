"""A scripted server or the real one, and a user's machine with `outboard` on it."""

import json
import os
import socket
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.fakes.api_server import ApiServer
from tests.shared.client.outboard import ROOT, Outboard, git_identity
from tests.shared.client.real_server import RealServer


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
def real() -> Generator[RealServer]:
    with RealServer().running() as running:
        yield running


@pytest.fixture
def real_outboard(real: RealServer, tmp_path: Path) -> Outboard:
    git_identity(tmp_path)
    (tmp_path / "endpoint.json").write_text(json.dumps({"http": real.http, "user": "ada"}))
    environment = {
        "HOME": str(tmp_path),
        "OUTBOARD_STATE": str(tmp_path),
        "OUTBOARD_TOKEN": real.token,
    }
    return Outboard(tmp_path, tmp_path, environment)


@pytest.fixture
def free_port() -> int:
    """Nobody listens there: it was just given back."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
