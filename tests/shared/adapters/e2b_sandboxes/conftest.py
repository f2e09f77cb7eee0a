"""Both worlds for the contract, and hosts for tests of the adapter that production uses."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from uuid import uuid4

import pytest

from shared.adapters.e2b_sandboxes.provider import E2BSandboxes
from shared.app.ports.sandboxes import Sandboxes, SandboxInfo
from tests.fakes.sandboxes import FakeSandboxes
from tests.infra.local.sandbox_host.failing_host import FailingHost, failing
from tests.infra.local.sandbox_host.hosting import Host, hosting
from tests.shared.adapters.e2b_sandboxes.faults import MINUTE, adapter
from tests.shared.adapters.e2b_sandboxes.faults import create as create_one


@pytest.fixture(scope="session")
def sandbox_host() -> Iterator[Host]:
    with hosting() as running:
        yield running


@pytest.fixture(scope="session")
def failing_host() -> Iterator[FailingHost]:
    with failing() as running:
        yield running


@pytest.fixture
def troubled(failing_host: FailingHost) -> E2BSandboxes:
    return adapter(failing_host)


@pytest.fixture
def info(troubled: E2BSandboxes) -> Iterator[SandboxInfo]:
    """Of one that is there when the trouble begins."""
    info = create_one(troubled)
    yield info
    troubled.kill(info.provider_id)


@pytest.fixture(params=["fake", pytest.param("e2b", marks=pytest.mark.sandbox)])
def sandboxes(request: pytest.FixtureRequest) -> Sandboxes:
    if request.param == "fake":
        return FakeSandboxes()
    return adapter(request.getfixturevalue("sandbox_host"))


@pytest.fixture
def create(sandboxes: Sandboxes, request: pytest.FixtureRequest) -> Callable[..., SandboxInfo]:
    def create(
        key: str | None = None,
        timeout: timedelta = MINUTE,
        snapshot: str | None = None,
        **metadata: str,
    ) -> SandboxInfo:
        info = sandboxes.create(
            key=key or f"Key/{uuid4()}",
            metadata=metadata,
            environment={"A": "b"},
            timeout=timeout,
            snapshot=snapshot,
        )
        request.addfinalizer(lambda: sandboxes.kill(info.provider_id))
        return info

    return create


@pytest.fixture
def name(sandboxes: Sandboxes) -> Iterator[str]:
    """For a snapshot that is not left behind."""
    name = f"outboard-{uuid4()}"
    yield name
    if snapshot := sandboxes.find_snapshot(name):
        sandboxes.forget_snapshot(snapshot)
