"""One host for the tests that do not need a host of their own."""

from collections.abc import Iterator

import pytest

from tests.local_aws import LocalAws


@pytest.fixture(scope="session")
def aws() -> Iterator[LocalAws]:
    with LocalAws() as host:
        yield host
