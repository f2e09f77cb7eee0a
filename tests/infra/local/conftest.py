"""Two hosts for all tests here: one that stays up, and one that a test may kill."""

from collections.abc import Iterator

import pytest

from tests.local_aws import LocalAws


@pytest.fixture(scope="session")
def aws() -> Iterator[LocalAws]:
    with LocalAws() as host:
        yield host


@pytest.fixture(scope="session")
def _mortal() -> Iterator[LocalAws]:
    with LocalAws() as host:
        yield host


@pytest.fixture
def mortal(_mortal: LocalAws) -> Iterator[LocalAws]:
    """Up for the next test whatever this one did to it, with all that earlier ones left."""
    yield _mortal
    if not _mortal.is_running:
        _mortal.start()
