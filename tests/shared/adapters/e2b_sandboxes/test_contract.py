"""What every `Sandboxes` keeps: the fake, and E2B's SDK against the local host."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from shared.app.ports.sandboxes import (
    Sandboxes,
    SandboxGone,
    SandboxInfo,
    SandboxRefused,
    SandboxSize,
    SandboxUnavailable,
)

MINUTE = timedelta(minutes=1)


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


def test_a_snapshot_that_does_not_exist_is_gone(sandboxes: Sandboxes):
    with pytest.raises(SandboxGone):
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
