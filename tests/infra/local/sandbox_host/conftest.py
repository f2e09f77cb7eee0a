"""One host of each kind, for all tests that leave it as they found it."""

import os
from collections.abc import Iterator

import pytest

from tests.infra.local.sandbox_host.hosting import NOBODY, Host, hosting


@pytest.fixture(scope="session")
def host() -> Iterator[Host]:
    """The strongest that this machine allows."""
    with hosting() as running:
        yield running


@pytest.fixture(scope="session")
def bubblewrap() -> Iterator[Host]:
    with hosting("bubblewrap") as running:
        yield running


@pytest.fixture(scope="session")
def plain() -> Iterator[Host]:
    with hosting("plain") as running:
        yield running


@pytest.fixture(scope="session")
def ordinary_user() -> Iterator[Host]:
    with hosting(user=NOBODY) as running:
        yield running


# Only root can be somebody else; otherwise `host` is an ordinary user's already.
FENCED = ("host", "bubblewrap", *(("ordinary_user",) if os.geteuid() == 0 else ()))


@pytest.fixture(scope="session", params=FENCED)
def fenced_host(request: pytest.FixtureRequest) -> Host:
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session", params=(*FENCED, "plain"))
def any_host(request: pytest.FixtureRequest) -> Host:
    return request.getfixturevalue(request.param)
