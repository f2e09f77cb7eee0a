"""What the adapter makes of a provider that refuses, is busy, or whose answers get lost or late.

All of it through the real SDK, with its own repetitions, against the local host.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from shared.adapters.e2b_sandboxes.provider import E2BSandboxes, Patience
from shared.app.ports.sandboxes import (
    SandboxGone,
    SandboxInfo,
    SandboxLimited,
    SandboxRefused,
    SandboxUnavailable,
)
from tests.infra.local.sandbox_host.failing import Fault
from tests.infra.local.sandbox_host.failing_host import FailingHost, failing
from tests.infra.local.sandbox_host.hosting import API_KEY, until

pytestmark = pytest.mark.sandbox

MINUTE = timedelta(minutes=1)
AT_ONCE = {"Should-Retry": "false"}

CREATE = Fault(method="POST", path="/v2/sandboxes", what="answer", headers=AT_ONCE)
RESUME = replace(CREATE, path="/v2/sandboxes/[^/]+/connect")
PAUSE = replace(CREATE, path="/sandboxes/[^/]+/pause")
KEEP = replace(CREATE, path="/sandboxes/[^/]+/timeout")
SNAPSHOT = replace(CREATE, path="/sandboxes/[^/]+/snapshots")
READ = replace(CREATE, path="/sandboxes/[^/]+", method="GET")
KILL = replace(CREATE, path="/sandboxes/[^/]+", method="DELETE")
LIST = replace(CREATE, path="/v2/sandboxes", method="GET")
SNAPSHOTS = replace(CREATE, path="/snapshots", method="GET")
FORGET = replace(CREATE, path="/templates/.+", method="DELETE")


@pytest.fixture(scope="module")
def host() -> Iterator[FailingHost]:
    with failing() as host:
        yield host


@pytest.fixture
def sandboxes(host: FailingHost) -> E2BSandboxes:
    return _adapter(host)


@pytest.fixture
def info(sandboxes: E2BSandboxes) -> Iterator[SandboxInfo]:
    info = _create(sandboxes)
    yield info
    sandboxes.kill(info.provider_id)


def _adapter(host: FailingHost, patience: Patience | None = None) -> E2BSandboxes:
    return E2BSandboxes(
        api_key=API_KEY,
        template="outboard",
        api_url=host.url,
        sandbox_url=host.url,
        patience=patience,
    )


def _create(sandboxes: E2BSandboxes, key: str | None = None) -> SandboxInfo:
    key = key or str(uuid4())
    return sandboxes.create(key=key, metadata={"key": key}, environment={}, timeout=MINUTE)


def test_too_many_creations_are_limited_for_as_long_as_the_provider_says(
    host: FailingHost, sandboxes: E2BSandboxes
):
    key = str(uuid4())
    host.meets(replace(CREATE, status=429, headers={"Retry-After": "7200"}))

    with pytest.raises(SandboxLimited) as limited:
        _create(sandboxes, key)

    assert limited.value.retry_after == timedelta(hours=2)
    assert sandboxes.find({"key": key}) == ()


def test_a_limit_without_a_time_says_none(host: FailingHost, sandboxes: E2BSandboxes):
    host.meets(replace(CREATE, status=429))

    with pytest.raises(SandboxLimited) as limited:
        _create(sandboxes)

    assert limited.value.retry_after is None


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_what_passes_at_once_is_not_even_noticed(
    host: FailingHost, sandboxes: E2BSandboxes, status: int
):
    host.meets(*[replace(CREATE, status=status, headers={})] * 2)

    info = _create(sandboxes)

    assert info.state == "running"
    sandboxes.kill(info.provider_id)


@pytest.mark.parametrize("status", [409, 500, 502, 503, 504])
@pytest.mark.parametrize("fault", [CREATE, RESUME, PAUSE, KEEP, SNAPSHOT])
def test_what_may_pass_is_unavailable_and_changes_nothing(
    host: FailingHost, sandboxes: E2BSandboxes, info: SandboxInfo, fault: Fault, status: int
):
    host.meets(replace(fault, status=status))

    with pytest.raises(SandboxUnavailable) as raised:
        _do(sandboxes, fault, info)

    assert type(raised.value) is SandboxUnavailable
    assert sandboxes.info(info.provider_id) == info
    assert len(sandboxes.find({})) == 1


@pytest.mark.parametrize("fault", [RESUME, PAUSE, KEEP, SNAPSHOT, KILL, READ, LIST])
def test_every_call_can_be_limited(
    host: FailingHost, sandboxes: E2BSandboxes, info: SandboxInfo, fault: Fault
):
    host.meets(replace(fault, status=429))

    with pytest.raises(SandboxLimited):
        _do(sandboxes, fault, info)

    assert sandboxes.info(info.provider_id) == info


@pytest.mark.parametrize("fault", [RESUME, PAUSE, READ])
def test_a_sandbox_that_is_not_there_is_gone(
    host: FailingHost, sandboxes: E2BSandboxes, info: SandboxInfo, fault: Fault
):
    host.meets(replace(fault, status=404))

    with pytest.raises(SandboxGone):
        _do(sandboxes, fault, info)


@pytest.mark.parametrize("fault", [KEEP, SNAPSHOT])
def test_a_sandbox_that_was_not_running_for_a_moment_is_not_gone(
    host: FailingHost, sandboxes: E2BSandboxes, info: SandboxInfo, fault: Fault
):
    host.meets(replace(fault, status=404))

    with pytest.raises(SandboxUnavailable):
        _do(sandboxes, fault, info)


@pytest.mark.parametrize("fault", [CREATE, RESUME, PAUSE, SNAPSHOT])
def test_what_is_not_offered_is_refused(
    host: FailingHost, sandboxes: E2BSandboxes, info: SandboxInfo, fault: Fault
):
    host.meets(replace(fault, status=400))

    with pytest.raises(SandboxRefused, match="as the test wants it"):
        _do(sandboxes, fault, info)


def test_a_creation_whose_answer_was_lost_is_found_by_its_key(
    host: FailingHost, sandboxes: E2BSandboxes
):
    key = str(uuid4())
    host.meets(replace(CREATE, what="lose"))
    with pytest.raises(SandboxUnavailable):
        _create(sandboxes, key)

    again = _create(sandboxes, key)

    assert sandboxes.find({"key": key}) == (again,)
    sandboxes.kill(again.provider_id)


def test_a_creation_that_came_late_is_found_by_its_key(host: FailingHost, sandboxes: E2BSandboxes):
    key = str(uuid4())
    host.meets(replace(CREATE, what="late"))
    with pytest.raises(SandboxUnavailable):
        _create(_adapter(host, Patience(create=0.2)), key)

    host.goes_on()

    assert until(lambda: sandboxes.find({"key": key}))
    again = _create(sandboxes, key)
    assert sandboxes.find({"key": key}) == (again,)
    sandboxes.kill(again.provider_id)


def test_a_pause_whose_answer_was_lost_is_read_back(
    host: FailingHost, sandboxes: E2BSandboxes, info: SandboxInfo
):
    host.meets(replace(PAUSE, what="lose"))

    sandboxes.pause(info.provider_id)

    assert sandboxes.info(info.provider_id).state == "paused"


def test_a_pause_that_came_late_is_unavailable_until_then(
    host: FailingHost, sandboxes: E2BSandboxes, info: SandboxInfo
):
    host.meets(replace(PAUSE, what="late"))
    with pytest.raises(SandboxUnavailable):
        _adapter(host, Patience(change=0.2)).pause(info.provider_id)
    assert sandboxes.info(info.provider_id) == info

    host.goes_on()

    assert until(lambda: sandboxes.info(info.provider_id).state == "paused")


def test_a_pause_that_nobody_can_read_back_is_unavailable(
    host: FailingHost, sandboxes: E2BSandboxes, info: SandboxInfo
):
    host.meets(replace(PAUSE, what="lose"), READ)

    with pytest.raises(SandboxUnavailable):
        sandboxes.pause(info.provider_id)

    sandboxes.pause(info.provider_id)


def test_a_snapshot_whose_answer_was_lost_is_taken_once_and_found_by_its_name(
    host: FailingHost, sandboxes: E2BSandboxes, info: SandboxInfo
):
    host.meets(replace(SNAPSHOT, what="lose"))
    with pytest.raises(SandboxUnavailable):
        sandboxes.snapshot(info.provider_id, "lost")

    snapshot = sandboxes.find_snapshot("lost")

    assert snapshot is not None
    assert sandboxes.snapshot(info.provider_id, "lost") == snapshot
    sandboxes.forget_snapshot(snapshot)


def test_a_snapshot_that_came_late_is_found_by_its_name(
    host: FailingHost, sandboxes: E2BSandboxes, info: SandboxInfo
):
    host.meets(replace(SNAPSHOT, what="late"))
    with pytest.raises(SandboxUnavailable):
        _adapter(host, Patience(snapshot=0.2)).snapshot(info.provider_id, "late")
    assert sandboxes.find_snapshot("late") is None

    host.goes_on()

    assert until(lambda: sandboxes.find_snapshot("late"))
    sandboxes.forget_snapshot(sandboxes.find_snapshot("late") or "")


def test_a_snapshot_is_not_asked_for_again_by_the_sdk(
    host: FailingHost, sandboxes: E2BSandboxes, info: SandboxInfo
):
    host.meets(replace(SNAPSHOT, status=503, headers={}))

    with pytest.raises(SandboxUnavailable):
        sandboxes.snapshot(info.provider_id, "once")

    assert sandboxes.find_snapshot("once") is None


@pytest.mark.parametrize("fault", [RESUME, KEEP, KILL])
def test_what_lost_its_answer_can_be_repeated(
    host: FailingHost, sandboxes: E2BSandboxes, info: SandboxInfo, fault: Fault
):
    host.meets(replace(fault, what="lose"))
    with pytest.raises(SandboxUnavailable):
        _do(sandboxes, fault, info)

    _do(sandboxes, fault, info)


def test_a_forgotten_snapshot_whose_answer_was_lost_is_forgotten(
    host: FailingHost, sandboxes: E2BSandboxes, info: SandboxInfo
):
    snapshot = sandboxes.snapshot(info.provider_id, "forgotten")
    host.meets(replace(FORGET, what="lose"))
    with pytest.raises(SandboxUnavailable):
        sandboxes.forget_snapshot(snapshot)

    sandboxes.forget_snapshot(snapshot)

    assert sandboxes.find_snapshot("forgotten") is None


@pytest.mark.parametrize("fault", [LIST, SNAPSHOTS])
def test_a_list_that_did_not_come_is_not_an_empty_one(
    host: FailingHost, sandboxes: E2BSandboxes, info: SandboxInfo, fault: Fault
):
    host.meets(replace(fault, what="lose"))

    with pytest.raises(SandboxUnavailable):
        _do(sandboxes, fault, info)


def test_a_list_of_many_pages_is_read_to_its_end(host: FailingHost, sandboxes: E2BSandboxes):
    created = [_create(sandboxes) for _ in range(3)]
    host.meets(*[replace(LIST, what="one")] * 3)

    found = sandboxes.find({})

    assert {one.provider_id for one in found} == {one.provider_id for one in created}
    for one in created:
        sandboxes.kill(one.provider_id)


def _do(sandboxes: E2BSandboxes, fault: Fault, info: SandboxInfo) -> object:
    """What meets the fault."""
    calls: dict[str, Callable[[], object]] = {
        CREATE.name: lambda: _create(sandboxes),
        RESUME.name: lambda: sandboxes.resume(info.provider_id, timeout=MINUTE),
        PAUSE.name: lambda: sandboxes.pause(info.provider_id),
        KEEP.name: lambda: sandboxes.keep_until(info.provider_id, MINUTE),
        SNAPSHOT.name: lambda: sandboxes.snapshot(info.provider_id, "any"),
        KILL.name: lambda: sandboxes.kill(info.provider_id),
        LIST.name: lambda: sandboxes.find({}),
        SNAPSHOTS.name: lambda: sandboxes.find_snapshot("any"),
        READ.name: lambda: sandboxes.info(info.provider_id),
    }
    return calls[fault.name]()
