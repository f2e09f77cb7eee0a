"""The host killed at any moment: it comes back with all it had, and with nothing by halves."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import httpx
import pytest
from e2b import Sandbox, SandboxException, SandboxState

from tests.infra.local.sandbox_host.failing import Fault
from tests.infra.local.sandbox_host.failing_host import FailingHost, failing
from tests.infra.local.sandbox_host.hosting import nap, processes_of

pytestmark = pytest.mark.sandbox

CREATE, PAUSE = "/v2/sandboxes", "/sandboxes/[^/]+/pause"
SNAPSHOT = "/sandboxes/[^/]+/snapshots"


@pytest.fixture
def host() -> Iterator[FailingHost]:
    with failing() as host:
        yield host


@dataclass
class Story:
    """What a client does, and what it was told before the host died."""

    host: FailingHost
    key: str
    created: Sandbox | None = None
    snapshot: str | None = None
    done: list[str] = field(default_factory=list[str])

    def tell(self) -> None:
        self.created = source = self.host.sandbox(idempotency_key=self.key)
        source.files.write("/workspace/kept", "kept")
        self.done.append("written")
        self.snapshot = source.create_snapshot(name=self.key, mode="filesystem").snapshot_id
        source.create_snapshot(name=self.key, mode="filesystem")
        source.pause(mode="filesystem")
        source.connect()
        source.commands.run(nap(31), background=True, timeout=0)
        self.done.append("told")


@pytest.mark.slow
def test_at_every_change_on_disk(host: FailingHost):
    """Change by change, until the story is told without coming to the next one."""
    changes = 0

    while not _is_told_within(host, changes):
        changes += 1

    assert changes > 5


def _is_told_within(host: FailingHost, changes: int) -> bool:
    story = Story(host, f"story-{changes}")
    host.crashes_after(changes)
    with suppress(SandboxException, httpx.TransportError, OSError):
        story.tell()
    if host.crashes_no_more():
        assert story.done == ["written", "told"]
        return True
    host.dies()
    host.start()
    _check(story)
    return False


@pytest.mark.parametrize("steps", [0, 1, 5, 50])
@pytest.mark.parametrize("path", [CREATE, SNAPSHOT, PAUSE])
def test_in_the_middle_of_a_request(host: FailingHost, path: str, steps: int):
    story = Story(host, "story")
    host.meets(Fault(method="POST", path=path, what="die", steps=steps))

    with suppress(SandboxException, httpx.TransportError, OSError):
        story.tell()

    host.dies()
    host.start()
    _check(story)


def _check(story: Story) -> None:
    host, sandboxes = story.host, story.host.client.Sandbox
    assert processes_of(nap(31)) == host.processes() == host.mounts() == []

    listed = {info.sandbox_id: info.state for info in sandboxes.list().next_items()}
    assert set(listed.values()) <= {SandboxState.PAUSED}
    _check_source(story, listed)
    _check_snapshot(story)
    for info in sandboxes.list().next_items():
        sandboxes.kill(info.sandbox_id)
    for taken in sandboxes.list_snapshots().next_items():
        sandboxes.delete_snapshot(taken.snapshot_id)
    assert [path.name for path in (host.state / "layers").iterdir()] == ["base"]
    assert not list((host.state / "snapshots").iterdir())


def _check_source(story: Story, listed: object) -> None:
    """It is the one there is, and the same one for whoever asks again."""
    if story.created:
        assert listed == {story.created.sandbox_id: SandboxState.PAUSED}
    again = story.host.sandbox(idempotency_key=story.key)
    assert len(story.host.client.Sandbox.list().next_items()) == 1
    resumed = again.connect()
    if story.done:
        assert resumed.files.read("/workspace/kept") == "kept"


def _check_snapshot(story: Story) -> None:
    names = story.host.client.Sandbox.list_snapshots(name=story.key).next_items()
    assert len(names) <= 1
    assert not story.snapshot or [one.snapshot_id for one in names] == [story.snapshot]
    for one in names:
        copy = story.host.sandbox(template=one.snapshot_id)
        assert copy.files.read("/workspace/kept") == "kept"
