"""What the adapter makes of answers that get lost, or come when nobody waits for them any more."""

from dataclasses import replace
from uuid import uuid4

import pytest

from shared.adapters.e2b_sandboxes.asking import Patience
from shared.adapters.e2b_sandboxes.provider import E2BSandboxes
from shared.app.ports.sandboxes import (
    SandboxInfo,
    SandboxUnavailable,
)
from tests.infra.local.sandbox_host.failing import Fault
from tests.infra.local.sandbox_host.failing_host import FailingHost
from tests.infra.local.sandbox_host.hosting import until
from tests.shared.adapters.e2b_sandboxes.faults import (
    CREATE,
    FORGET,
    KILL,
    LIST,
    PAUSE,
    READ,
    RESUME,
    SNAPSHOT,
    SNAPSHOTS,
    adapter,
    create,
    do,
)

pytestmark = pytest.mark.sandbox


def test_a_creation_whose_answer_was_lost_is_found_by_its_key(
    failing_host: FailingHost, troubled: E2BSandboxes
):
    key = str(uuid4())
    failing_host.meets(replace(CREATE, what="lose"))
    with pytest.raises(SandboxUnavailable):
        create(troubled, key)

    again = create(troubled, key)

    assert troubled.find({"key": key}) == (again,)
    troubled.kill(again.provider_id)


def test_a_creation_that_came_late_is_found_by_its_key(
    failing_host: FailingHost, troubled: E2BSandboxes
):
    key = str(uuid4())
    failing_host.meets(replace(CREATE, what="late"))
    with pytest.raises(SandboxUnavailable):
        create(adapter(failing_host, Patience(create=0.2)), key)

    failing_host.goes_on()

    assert until(lambda: troubled.find({"key": key}))
    again = create(troubled, key)
    assert troubled.find({"key": key}) == (again,)
    troubled.kill(again.provider_id)


def test_a_pause_whose_answer_was_lost_is_read_back(
    failing_host: FailingHost, troubled: E2BSandboxes, info: SandboxInfo
):
    failing_host.meets(replace(PAUSE, what="lose"))

    troubled.pause(info.provider_id)

    assert troubled.info(info.provider_id).state == "paused"


def test_a_pause_that_came_late_is_unavailable_until_then(
    failing_host: FailingHost, troubled: E2BSandboxes, info: SandboxInfo
):
    failing_host.meets(replace(PAUSE, what="late"))
    with pytest.raises(SandboxUnavailable):
        adapter(failing_host, Patience(change=0.2)).pause(info.provider_id)
    assert troubled.info(info.provider_id) == info

    failing_host.goes_on()

    assert until(lambda: troubled.info(info.provider_id).state == "paused")


def test_a_pause_that_nobody_can_read_back_is_unavailable(
    failing_host: FailingHost, troubled: E2BSandboxes, info: SandboxInfo
):
    failing_host.meets(replace(PAUSE, what="lose"), READ)

    with pytest.raises(SandboxUnavailable):
        troubled.pause(info.provider_id)

    troubled.pause(info.provider_id)


def test_a_snapshot_whose_answer_was_lost_is_taken_once_and_found_by_its_name(
    failing_host: FailingHost, troubled: E2BSandboxes, info: SandboxInfo
):
    failing_host.meets(replace(SNAPSHOT, what="lose"))
    with pytest.raises(SandboxUnavailable):
        troubled.snapshot(info.provider_id, "lost")

    snapshot = troubled.find_snapshot("lost")

    assert snapshot is not None
    assert troubled.snapshot(info.provider_id, "lost") == snapshot
    troubled.forget_snapshot(snapshot)


def test_a_snapshot_that_came_late_is_found_by_its_name(
    failing_host: FailingHost, troubled: E2BSandboxes, info: SandboxInfo
):
    failing_host.meets(replace(SNAPSHOT, what="late"))
    with pytest.raises(SandboxUnavailable):
        adapter(failing_host, Patience(snapshot=0.2)).snapshot(info.provider_id, "late")
    assert troubled.find_snapshot("late") is None

    failing_host.goes_on()

    assert until(lambda: troubled.find_snapshot("late"))
    troubled.forget_snapshot(troubled.find_snapshot("late") or "")


@pytest.mark.parametrize("fault", [RESUME, KILL])
def test_what_lost_its_answer_can_be_repeated(
    failing_host: FailingHost, troubled: E2BSandboxes, info: SandboxInfo, fault: Fault
):
    failing_host.meets(replace(fault, what="lose"))
    with pytest.raises(SandboxUnavailable):
        do(troubled, fault, info)

    do(troubled, fault, info)


def test_a_forgotten_snapshot_whose_answer_was_lost_is_forgotten(
    failing_host: FailingHost, troubled: E2BSandboxes, info: SandboxInfo
):
    snapshot = troubled.snapshot(info.provider_id, "forgotten")
    failing_host.meets(replace(FORGET, what="lose"))
    with pytest.raises(SandboxUnavailable):
        troubled.forget_snapshot(snapshot)

    troubled.forget_snapshot(snapshot)

    assert troubled.find_snapshot("forgotten") is None


@pytest.mark.parametrize("fault", [LIST, SNAPSHOTS])
def test_a_list_that_did_not_come_is_not_an_empty_one(
    failing_host: FailingHost, troubled: E2BSandboxes, info: SandboxInfo, fault: Fault
):
    failing_host.meets(replace(fault, what="lose"))

    with pytest.raises(SandboxUnavailable):
        do(troubled, fault, info)
