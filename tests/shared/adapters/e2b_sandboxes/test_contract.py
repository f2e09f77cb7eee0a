"""What every `Sandboxes` keeps: the fake, and E2B's SDK against the local host."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from shared.adapters.e2b_sandboxes.provider import E2BSandboxes
from shared.app.ports.sandboxes import (
    Sandboxes,
    SandboxGone,
    SandboxInfo,
    SandboxRefused,
    SandboxSize,
    SandboxUnavailable,
)
from tests.fakes.sandboxes import FakeSandboxes
from tests.infra.local.sandbox_host.hosting import API_KEY, Host

MINUTE = timedelta(minutes=1)


@pytest.fixture(params=["fake", pytest.param("e2b", marks=pytest.mark.sandbox)])
def sandboxes(request: pytest.FixtureRequest) -> Sandboxes:
    if request.param == "fake":
        return FakeSandboxes()
    host: Host = request.getfixturevalue("sandbox_host")
    return E2BSandboxes(
        api_key=API_KEY, template="outboard", api_url=host.url, sandbox_url=host.url
    )


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


def test_a_created_sandbox_runs_until_its_time(
    sandboxes: Sandboxes, create: Callable[..., SandboxInfo]
):
    before = datetime.now(UTC)

    info = create(session="s1")

    assert (info.state, info.metadata) == ("running", {"session": "s1"})
    assert info.ends_at
    assert before + MINUTE <= info.ends_at < before + 2 * MINUTE
    assert before <= info.started_at <= datetime.now(UTC)
    assert sandboxes.info(info.provider_id) == info


def test_the_same_key_is_the_same_sandbox(create: Callable[..., SandboxInfo]):
    key = str(uuid4())
    first = create(key, session="s1")

    again = create(key, session="s1")

    assert again == first


def test_a_key_is_of_one_request(create: Callable[..., SandboxInfo]):
    key = str(uuid4())
    create(key, session="s1")

    with pytest.raises(SandboxUnavailable):
        create(key, session="s2")


def test_a_key_does_not_bring_back_what_was_killed(
    sandboxes: Sandboxes, create: Callable[..., SandboxInfo]
):
    key = str(uuid4())
    info = create(key, session="s1")
    sandboxes.kill(info.provider_id)

    with pytest.raises(SandboxGone):
        create(key, session="s1")


def test_a_size_that_there_is_no_template_of_is_refused(sandboxes: Sandboxes):
    with pytest.raises(SandboxRefused):
        sandboxes.create(
            key=str(uuid4()),
            metadata={},
            environment={},
            timeout=MINUTE,
            size=SandboxSize(cpu_cores=4096),
        )


def test_a_snapshot_that_does_not_exist_is_refused(sandboxes: Sandboxes):
    with pytest.raises(SandboxRefused):
        sandboxes.create(
            key=str(uuid4()), metadata={}, environment={}, timeout=MINUTE, snapshot="nothing"
        )


def test_a_paused_sandbox_has_no_time(sandboxes: Sandboxes, create: Callable[..., SandboxInfo]):
    info = create(session="s1")

    sandboxes.pause(info.provider_id)
    sandboxes.pause(info.provider_id)

    assert sandboxes.info(info.provider_id) == replace(info, state="paused", ends_at=None)


def test_a_paused_sandbox_is_resumed(sandboxes: Sandboxes, create: Callable[..., SandboxInfo]):
    info = create()
    sandboxes.pause(info.provider_id)

    resumed = sandboxes.resume(info.provider_id, timeout=MINUTE)

    assert resumed.state == "running"
    assert resumed.ends_at


def test_resuming_what_runs_never_shortens_its_time(
    sandboxes: Sandboxes, create: Callable[..., SandboxInfo]
):
    info = create(timeout=10 * MINUTE)

    assert sandboxes.resume(info.provider_id, timeout=MINUTE) == info
    longer = sandboxes.resume(info.provider_id, timeout=20 * MINUTE)
    assert longer.ends_at
    assert info.ends_at
    assert longer.ends_at > info.ends_at + 5 * MINUTE


def test_a_time_can_be_moved_both_ways(sandboxes: Sandboxes, create: Callable[..., SandboxInfo]):
    info = create(timeout=10 * MINUTE)
    assert info.ends_at

    sandboxes.keep_until(info.provider_id, 5 * MINUTE)

    sooner = sandboxes.info(info.provider_id).ends_at
    assert sooner
    assert sooner < info.ends_at - 4 * MINUTE


def test_sandboxes_are_found_by_all_of_the_metadata_asked_for(
    sandboxes: Sandboxes, create: Callable[..., SandboxInfo]
):
    session = str(uuid4())
    running = create(session=session, attempt="1")
    paused = create(session=session, attempt="2")
    sandboxes.pause(paused.provider_id)

    both = {info.provider_id: info.state for info in sandboxes.find({"session": session})}

    assert both == {running.provider_id: "running", paused.provider_id: "paused"}
    assert sandboxes.find({"session": session, "attempt": "1"}) == (running,)
    assert sandboxes.find({"session": "another"}) == ()


def test_a_killed_sandbox_is_gone(sandboxes: Sandboxes, create: Callable[..., SandboxInfo]):
    info = create()

    sandboxes.kill(info.provider_id)
    sandboxes.kill(info.provider_id)

    for attempt in (
        lambda: sandboxes.info(info.provider_id),
        lambda: sandboxes.pause(info.provider_id),
        lambda: sandboxes.resume(info.provider_id, timeout=MINUTE),
        lambda: sandboxes.keep_until(info.provider_id, MINUTE),
        lambda: sandboxes.write_secret(info.provider_id, "/dev/shm/s", b""),
        lambda: sandboxes.start(info.provider_id, "true"),
        lambda: sandboxes.address(info.provider_id, 3000),
        lambda: sandboxes.snapshot(info.provider_id, "s"),
    ):
        with pytest.raises(SandboxGone):
            attempt()


def test_nothing_can_be_done_in_a_paused_sandbox_and_it_stays_so(
    sandboxes: Sandboxes, create: Callable[..., SandboxInfo]
):
    info = create()
    sandboxes.pause(info.provider_id)

    for attempt in (
        lambda: sandboxes.keep_until(info.provider_id, MINUTE),
        lambda: sandboxes.write_secret(info.provider_id, "/dev/shm/s", b""),
        lambda: sandboxes.start(info.provider_id, "true"),
        lambda: sandboxes.snapshot(info.provider_id, "s"),
    ):
        with pytest.raises(SandboxRefused):
            attempt()

    assert sandboxes.info(info.provider_id).state == "paused"


def test_a_running_sandbox_takes_secrets_and_commands(
    sandboxes: Sandboxes, create: Callable[..., SandboxInfo]
):
    info = create()

    sandboxes.write_secret(info.provider_id, "/dev/shm/outboard/identity", b"\x00secret")
    sandboxes.start(info.provider_id, "true")

    assert sandboxes.info(info.provider_id) == info


def test_a_sandbox_with_tunnels_has_an_address_for_each_port(
    sandboxes: Sandboxes, request: pytest.FixtureRequest
):
    info = sandboxes.create(
        key=str(uuid4()), metadata={}, environment={}, timeout=MINUTE, tunnels=True
    )
    request.addfinalizer(lambda: sandboxes.kill(info.provider_id))

    web, api = (sandboxes.address(info.provider_id, port) for port in (3000, 8000))

    assert web != api
    assert web.startswith(("https://", "http://127.0.0.1:"))
    sandboxes.pause(info.provider_id)
    sandboxes.resume(info.provider_id, timeout=MINUTE)
    assert sandboxes.address(info.provider_id, 3000) == web


def test_a_snapshot_is_a_place_to_begin_from_and_its_source_runs_on(
    sandboxes: Sandboxes, create: Callable[..., SandboxInfo], name: str
):
    source = create(session="s1")

    snapshot = sandboxes.snapshot(source.provider_id, name)

    assert sandboxes.info(source.provider_id) == source
    copy = create(snapshot=snapshot)
    assert copy.provider_id != source.provider_id
    assert copy.state == "running"


def test_a_snapshot_is_found_by_its_name(
    sandboxes: Sandboxes, create: Callable[..., SandboxInfo], name: str
):
    source = create()

    assert sandboxes.find_snapshot(name) is None
    snapshot = sandboxes.snapshot(source.provider_id, name)

    assert sandboxes.find_snapshot(name) == snapshot
    assert sandboxes.find_snapshot(name[:-1]) is None


def test_a_snapshot_taken_again_under_its_name_is_the_same(
    sandboxes: Sandboxes, create: Callable[..., SandboxInfo], name: str
):
    source = create()
    first = sandboxes.snapshot(source.provider_id, name)

    again = sandboxes.snapshot(source.provider_id, name)

    assert again == first
    assert create(snapshot=again).state == "running"


def test_a_snapshot_has_a_name_that_every_provider_can_keep(
    sandboxes: Sandboxes, create: Callable[..., SandboxInfo]
):
    info = create()

    with pytest.raises(SandboxRefused):
        sandboxes.snapshot(info.provider_id, "No Name/of: one")


def test_a_forgotten_snapshot_is_gone_and_what_was_created_from_it_runs_on(
    sandboxes: Sandboxes, create: Callable[..., SandboxInfo], name: str
):
    snapshot = sandboxes.snapshot(create().provider_id, name)
    copy = create(snapshot=snapshot)

    sandboxes.forget_snapshot(snapshot)
    sandboxes.forget_snapshot(snapshot)

    assert sandboxes.find_snapshot(name) is None
    assert sandboxes.info(copy.provider_id) == copy
    with pytest.raises(SandboxRefused):
        create(snapshot=snapshot)


def test_a_snapshot_is_kept_for_a_paused_sandbox_that_was_created_from_it(
    sandboxes: Sandboxes, create: Callable[..., SandboxInfo], name: str
):
    snapshot = sandboxes.snapshot(create().provider_id, name)
    copy = create(snapshot=snapshot)
    sandboxes.pause(copy.provider_id)

    with pytest.raises(SandboxRefused):
        sandboxes.forget_snapshot(snapshot)

    assert sandboxes.find_snapshot(name) == snapshot
    sandboxes.kill(copy.provider_id)
    sandboxes.forget_snapshot(snapshot)
