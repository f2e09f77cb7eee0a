"""The manners of the fake that no real provider can be asked to have."""

from datetime import timedelta

import pytest

from shared.app.ports.sandboxes import SandboxInfo, SandboxSize, SandboxUnavailable
from tests.fakes.sandboxes import FakeSandboxes


def _create(sandboxes: FakeSandboxes) -> SandboxInfo:
    return sandboxes.create(
        key="k", metadata={}, environment={"SECRET": "s"}, timeout=timedelta(minutes=1)
    )


def test_a_failing_call_does_nothing():
    sandboxes = FakeSandboxes()
    sandboxes.fail_next(SandboxUnavailable("no answer"))

    with pytest.raises(SandboxUnavailable):
        _create(sandboxes)

    assert sandboxes.machines == {}
    assert _create(sandboxes).state == "running"


def test_a_lost_answer_was_given_for_work_that_is_done():
    sandboxes = FakeSandboxes()
    sandboxes.lose_next_answer(SandboxUnavailable("no answer"))

    with pytest.raises(SandboxUnavailable):
        _create(sandboxes)

    assert list(sandboxes.machines) == ["fake-1"]
    assert _create(sandboxes).provider_id == "fake-1"


def test_calls_are_recorded_without_their_secrets():
    sandboxes = FakeSandboxes()
    info = _create(sandboxes)

    sandboxes.write_secret(info.provider_id, "/dev/shm/s", b"hidden")

    assert [name for name, _ in sandboxes.calls] == ["create", "write_secret"]
    assert "hidden" not in repr(sandboxes.calls)
    assert sandboxes.machines["fake-1"].files == {"/dev/shm/s": b"hidden"}


def test_a_snapshot_has_the_files_of_its_moment_and_nothing_of_memory():
    sandboxes = FakeSandboxes()
    source = _create(sandboxes)
    sandboxes.write_secret(source.provider_id, "/workspace/f", b"then")
    sandboxes.write_secret(source.provider_id, "/dev/shm/s", b"hidden")

    snapshot = sandboxes.snapshot(source.provider_id, "s")

    sandboxes.write_secret(source.provider_id, "/workspace/f", b"now")
    copy = sandboxes.create(
        key="k2", metadata={}, environment={}, timeout=timedelta(minutes=1), snapshot=snapshot
    )
    assert sandboxes.machines[copy.provider_id].files == {"/workspace/f": b"then"}


def test_a_pause_keeps_files_and_nothing_of_memory():
    sandboxes = FakeSandboxes()
    info = _create(sandboxes)
    sandboxes.write_secret(info.provider_id, "/workspace/f", b"kept")
    sandboxes.write_secret(info.provider_id, "/dev/shm/s", b"hidden")

    sandboxes.pause(info.provider_id)

    assert sandboxes.machines[info.provider_id].files == {"/workspace/f": b"kept"}


def test_a_size_is_refused_until_a_template_was_built_in_it():
    sandboxes, size = FakeSandboxes(), SandboxSize(cpu_cores=4)
    sandboxes.sizes.add(size)

    info = sandboxes.create(
        key="k", metadata={}, environment={}, timeout=timedelta(minutes=1), size=size
    )

    assert sandboxes.machines[info.provider_id].size == size
