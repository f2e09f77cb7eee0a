"""Who is told what of a comparison, and that nobody waits for one."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sandbox_bridge.boot.gate import BootGate
from sandbox_bridge.changes.reporter import WITHIN, Desk, Reporter
from sandbox_bridge.files.server import FileFailed
from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.clone import clone
from shared.protocol.change_bundles import ChangesTaken, NewChanges
from shared.protocol.events import BridgeEvent, ChangesUpdated, Warned
from tests.sandbox_bridge.repositories import Remote, checkout, put, spec

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Server:
    """Keeps what was handed in, as revision r1, r2 and so on."""

    taken: list[NewChanges] = field(default_factory=list[NewChanges])
    refusal: str | None = None
    said: list[BridgeEvent] = field(default_factory=list[BridgeEvent])
    held: asyncio.Event | None = None

    async def hand_in(self, new: NewChanges) -> ChangesTaken:
        if self.held:
            await self.held.wait()
        if self.refusal:
            raise FileFailed(self.refusal)
        changed = not self.taken or self.taken[-1].repositories != new.repositories
        if changed:
            self.taken.append(new)
        return ChangesTaken(revision=f"r{len(self.taken)}", changed=changed)


async def settled(reporter: Reporter) -> None:
    assert reporter.task
    await reporter.task


def tell(
    remote: Remote,
    tmp_path: Path,
    story: Callable[[Server, Checkout, Reporter], Awaitable[None]],
    *,
    within: timedelta = WITHIN,
) -> Server:
    async def told() -> Server:
        here = checkout(tmp_path / "workspace", remote.url)
        await clone(here, spec(remote.url))
        server, gate = Server(), BootGate()
        gate.open()
        desk = Desk(
            checkouts=[here],
            gate=gate,
            emit=server.said.append,
            hand_in=server.hand_in,
            prompt=lambda: 3,
            now=lambda: NOW,
            within=within,
        )
        await story(server, here, Reporter(desk))
        return server

    return asyncio.run(told())


def test_what_has_changed_is_handed_in_and_told(remote: Remote, tmp_path: Path):
    async def story(_: Server, here: Checkout, reporter: Reporter) -> None:
        put(here.git.directory, {"a.txt": "two\n", "b.txt": "b\n"})
        reporter.compare()
        await settled(reporter)

    server = tell(remote, tmp_path, story)

    (new,) = server.taken
    assert (new.prompt, new.compared_at, new.truncated, new.error) == (3, NOW, False, None)
    assert [file.path for file in new.repositories[0].files] == ["a.txt", "b.txt"]
    assert server.said == [
        ChangesUpdated(prompt=3, revision="r1", files=2, additions=2, deletions=1, repositories=1)
    ]


def test_the_same_again_is_told_only_to_whoever_asks(remote: Remote, tmp_path: Path):
    async def story(server: Server, here: Checkout, reporter: Reporter) -> None:
        put(here.git.directory, {"a.txt": "two\n"})
        for asked in (False, False, True):
            reporter.compare(asked=asked)
            await settled(reporter)

    assert [event.type for event in tell(remote, tmp_path, story).said] == ["changes_updated"] * 2


def test_one_that_begins_ends_the_one_before_and_forgets_nobody_who_asked(
    remote: Remote, tmp_path: Path
):
    async def story(server: Server, here: Checkout, reporter: Reporter) -> None:
        server.held = asyncio.Event()
        reporter.compare(asked=True)
        first = reporter.task
        put(here.git.directory, {"a.txt": "two\n"})
        reporter.compare()
        server.held.set()
        await settled(reporter)
        assert first is not None
        assert first.cancelled()

    server = tell(remote, tmp_path, story)

    assert [len(new.repositories[0].files) for new in server.taken] == [1]
    assert len(server.said) == 1


def test_a_refusal_is_a_warning_once(remote: Remote, tmp_path: Path):
    async def story(server: Server, here: Checkout, reporter: Reporter) -> None:
        server.refusal = "not now"
        for asked in (False, False, True):
            reporter.compare(asked=asked)
            await settled(reporter)

    warned = Warned(message="what has changed cannot be shown: not now", scope="changes")
    assert tell(remote, tmp_path, story).said == [warned, warned]


def test_what_takes_too_long_is_said_and_handed_in_as_a_failure(remote: Remote, tmp_path: Path):
    async def story(_: Server, here: Checkout, reporter: Reporter) -> None:
        reporter.compare()
        await settled(reporter)

    server = tell(remote, tmp_path, story, within=timedelta())

    (new,) = server.taken
    assert (new.error, new.repositories) == ("it took longer than 0 s to compare the files", [])
    assert [event.type for event in server.said] == ["warning"]


def test_a_repository_that_is_gone_is_told_beside_the_others(remote: Remote, tmp_path: Path):
    async def story(_: Server, here: Checkout, reporter: Reporter) -> None:
        here.git.directory.rename(tmp_path / "gone")
        reporter.compare(asked=True)
        await settled(reporter)

    server = tell(remote, tmp_path, story)

    assert server.taken[0].repositories[0].error == "tool is not in the workspace any more"


def test_a_closed_one_says_nothing_more(remote: Remote, tmp_path: Path):
    async def story(server: Server, _: Checkout, reporter: Reporter) -> None:
        server.held = asyncio.Event()
        reporter.compare(asked=True)
        await reporter.close()

    assert tell(remote, tmp_path, story).said == []
