"""The hosts that the contract is held against."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.forge.hosting import Hosted, hosting, needs_openapi
from tests.shared.adapters.forges.worlds import FakeWorld, ForgeWorld, GitHubWorld


@pytest.fixture
def hosted(tmp_path: Path) -> Generator[Hosted]:
    with hosting(tmp_path) as running:
        yield running


@pytest.fixture(params=["fake", pytest.param("github", marks=needs_openapi)])
def world(request: pytest.FixtureRequest) -> ForgeWorld:
    if request.param == "fake":
        return FakeWorld()
    return GitHubWorld.on(request.getfixturevalue("hosted"))


@pytest.fixture
def github(hosted: Hosted) -> GitHubWorld:
    return GitHubWorld.on(hosted)
