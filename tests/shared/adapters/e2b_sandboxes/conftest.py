"""The local sandbox host, for tests of the adapter that production uses."""

from collections.abc import Iterator

import pytest

from tests.infra.local.sandbox_host.hosting import Host, hosting


@pytest.fixture(scope="session")
def sandbox_host() -> Iterator[Host]:
    with hosting() as running:
        yield running
