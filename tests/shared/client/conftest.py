"""A scripted server."""

import socket
from collections.abc import Generator

import pytest

from tests.fakes.api_server import ApiServer


@pytest.fixture
def server() -> Generator[ApiServer]:
    with ApiServer().running() as running:
        yield running


@pytest.fixture
def free_port() -> int:
    """Nobody listens there: it was just given back."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
