"""What the adapter makes of a provider that refuses, is busy or has enough of us.

All of it through the real SDK, with its own repetitions, against the local host.
"""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from shared.adapters.e2b_sandboxes.provider import E2BSandboxes
from shared.app.ports.sandboxes import (
    SandboxGone,
    SandboxInfo,
    SandboxLimited,
    SandboxRefused,
    SandboxUnavailable,
)
from tests.infra.local.sandbox_host.failing import Fault
from tests.infra.local.sandbox_host.failing_host import FailingHost
from tests.shared.adapters.e2b_sandboxes.faults import (
    CREATE,
    KILL,
    LIST,
    PAUSE,
    READ,
    RESUME,
    SNAPSHOT,
    create,
    do,
)

pytestmark = pytest.mark.sandbox


def test_too_many_creations_are_limited_for_as_long_as_the_provider_says(
    failing_host: FailingHost, troubled: E2BSandboxes
):
    key = str(uuid4())
    failing_host.meets(replace(CREATE, status=429, headers={"Retry-After": "7200"}))

    with pytest.raises(SandboxLimited) as limited:
        create(troubled, key)

    assert limited.value.retry_after == timedelta(hours=2)
    assert troubled.find({"key": key}) == ()


def test_a_limit_without_a_time_says_none(failing_host: FailingHost, troubled: E2BSandboxes):
    failing_host.meets(replace(CREATE, status=429))

    with pytest.raises(SandboxLimited) as limited:
        create(troubled)

    assert limited.value.retry_after is None


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_what_passes_at_once_is_not_even_noticed(
    failing_host: FailingHost, troubled: E2BSandboxes, status: int
):
    failing_host.meets(*[replace(CREATE, status=status, headers={})] * 2)

    info = create(troubled)

    assert info.state == "running"
    troubled.kill(info.provider_id)


@pytest.mark.parametrize("status", [409, 500, 502, 503, 504])
@pytest.mark.parametrize("fault", [CREATE, RESUME, PAUSE, SNAPSHOT])
def test_what_may_pass_is_unavailable_and_changes_nothing(
    failing_host: FailingHost, troubled: E2BSandboxes, info: SandboxInfo, fault: Fault, status: int
):
    failing_host.meets(replace(fault, status=status))

    with pytest.raises(SandboxUnavailable) as raised:
        do(troubled, fault, info)

    assert type(raised.value) is SandboxUnavailable
    assert troubled.info(info.provider_id) == info
    assert len(troubled.find({})) == 1


@pytest.mark.parametrize("fault", [RESUME, PAUSE, SNAPSHOT, KILL, READ, LIST])
def test_every_call_can_be_limited(
    failing_host: FailingHost, troubled: E2BSandboxes, info: SandboxInfo, fault: Fault
):
    failing_host.meets(replace(fault, status=429))

    with pytest.raises(SandboxLimited):
        do(troubled, fault, info)

    assert troubled.info(info.provider_id) == info


@pytest.mark.parametrize("fault", [PAUSE, READ])
def test_a_sandbox_that_is_not_there_is_gone(
    failing_host: FailingHost, troubled: E2BSandboxes, info: SandboxInfo, fault: Fault
):
    failing_host.meets(replace(fault, status=404))

    with pytest.raises(SandboxGone):
        do(troubled, fault, info)


@pytest.mark.parametrize("fault", [SNAPSHOT, RESUME])
def test_a_sandbox_that_was_not_running_for_a_moment_is_not_gone(
    failing_host: FailingHost, troubled: E2BSandboxes, info: SandboxInfo, fault: Fault
):
    failing_host.meets(replace(fault, status=404))

    with pytest.raises(SandboxUnavailable):
        do(troubled, fault, info)


@pytest.mark.parametrize("fault", [CREATE, RESUME, PAUSE, SNAPSHOT])
def test_what_is_not_offered_is_refused(
    failing_host: FailingHost, troubled: E2BSandboxes, info: SandboxInfo, fault: Fault
):
    failing_host.meets(replace(fault, status=400))

    with pytest.raises(SandboxRefused, match="as the test wants it"):
        do(troubled, fault, info)


def test_a_snapshot_is_not_asked_for_again_by_the_sdk(
    failing_host: FailingHost, troubled: E2BSandboxes, info: SandboxInfo
):
    failing_host.meets(replace(SNAPSHOT, status=503, headers={}))

    with pytest.raises(SandboxUnavailable):
        troubled.snapshot(info.provider_id, "once")

    assert troubled.find_snapshot("once") is None


def test_a_list_of_many_pages_is_read_to_its_end(failing_host: FailingHost, troubled: E2BSandboxes):
    created = [create(troubled) for _ in range(3)]
    failing_host.meets(*[replace(LIST, what="one")] * 3)

    found = troubled.find({})

    assert {one.provider_id for one in found} == {one.provider_id for one in created}
    for one in created:
        troubled.kill(one.provider_id)
