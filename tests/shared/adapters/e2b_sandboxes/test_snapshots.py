"""What every `Sandboxes` keeps of snapshots: the fake, and E2B's SDK against the local host."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from shared.app.ports.sandboxes import (
    Sandboxes,
    SandboxInfo,
    SandboxRefused,
    SnapshotGone,
)


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
    with pytest.raises(SnapshotGone):
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


def test_the_copies_of_a_deployment_are_found_by_the_beginning_of_their_names(
    sandboxes: Sandboxes, create: Callable[..., SandboxInfo]
):
    prefix = f"outboard-{uuid4().hex[:8]}-"
    info = create()
    made = {
        name: sandboxes.snapshot(info.provider_id, name) for name in (f"{prefix}a", f"{prefix}b")
    }
    sandboxes.snapshot(info.provider_id, f"another-{prefix}")

    assert sandboxes.snapshots(prefix) == made
