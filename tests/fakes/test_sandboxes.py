"""The manners of the fake that no real provider can be asked to have."""

from datetime import timedelta

import pytest

from shared.app.ports.sandboxes import SandboxInfo, SandboxUnavailable
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
