"""The hosts that the contract is held against."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.forge.gitlab import hosting_gitlab
from tests.forge.hosting import Hosted, hosting, needs_openapi
from tests.shared.adapters.forges.worlds import (
    FakeWorld,
    ForgeWorld,
    GitHubWorld,
    GitLabWorld,
)


@pytest.fixture
def hosted(tmp_path: Path) -> Generator[Hosted]:
    with hosting(tmp_path) as running:
        yield running


@pytest.fixture
def gitlab() -> Generator[GitLabWorld]:
    with hosting_gitlab() as running:
        yield GitLabWorld(running)


@pytest.fixture(params=["fake", pytest.param("github", marks=needs_openapi), "gitlab"])
def world(request: pytest.FixtureRequest) -> ForgeWorld:
    return FakeWorld() if request.param == "fake" else request.getfixturevalue(request.param)


@pytest.fixture
def github(hosted: Hosted) -> GitHubWorld:
    return GitHubWorld.on(hosted)
