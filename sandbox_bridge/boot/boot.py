"""The boot of a sandbox, phase by phase, while the bridge is already connected.

    fresh             starting ─▶ sync ─▶ setup ─▶ start ─▶ skills ─▶ harness
    resume, restore   starting ─┬▶ start ─▶ skills ─▶ harness
                                └▶ sync
    image             starting ─┬▶ harness
                                └▶ sync ─▶ start ─▶ skills

The agent takes turns from the end of `harness` on. It may write when the gate is open: when nothing
but the harness is left. Where a repository is missing, everything goes one after the other.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox_bridge.boot import skills
from sandbox_bridge.boot.gate import BootGate
from sandbox_bridge.boot.hooks import START, Hooks
from sandbox_bridge.boot.record import BootRecord
from sandbox_bridge.boot.report import BootFailed, Report
from sandbox_bridge.boot.sync import Pair, Sync, Synced
from sandbox_bridge.git.clone import unlock
from sandbox_bridge.harness.seam import Harness, HarnessFailed
from shared.protocol.bridge import BootPath, Identity

logger = logging.getLogger(__name__)


def path_of(identity: Identity) -> BootPath:
    """A server that knows of `resumed` only says no more."""
    return identity.boot or ("resume" if identity.resumed else "fresh")


@dataclass(frozen=True, slots=True, kw_only=True)
class Boot:
    pairs: Sequence[Pair]
    directories: Sequence[Path]
    """What has to be there before anything else."""

    sync: Sync
    hooks: Hooks
    harness: Harness
    gate: BootGate
    record: BootRecord
    report: Report

    async def run(self, ready: Callable[[], None]) -> None:
        """Calls `ready` as soon as the agent takes turns. Raises `BootFailed`, and nothing else."""
        with self.report.phase("starting") as remarks:
            self._prepare()
            remarks.warning = self.hooks.tunnels.prepare()
        if self.sync.path == "fresh" or self.sync.lacks(self.pairs):
            await self._workspace()
            await self._agent(ready)
        elif self.sync.path == "image":
            await _side_by_side(self._workspace(), self._agent(ready))
        else:
            await _side_by_side(self._fetched(), self._served(ready))

    def _prepare(self) -> None:
        for directory in self.directories:
            directory.mkdir(parents=True, exist_ok=True)
        for checkout, _ in self.pairs:
            unlock(checkout.git.directory)

    async def _workspace(self) -> None:
        self.gate.waits_for("the repositories to be brought up to date")
        synced = await self._sync()
        pairs = zip(self.pairs, synced, strict=True)
        await self.hooks.setup([checkout for (checkout, _), each in pairs if each.cloned])
        self.gate.waits_for(f"{START} to end")
        await self.hooks.start()
        self._skills()
        self._over()

    async def _fetched(self) -> None:
        self.gate.waits_for("the session branch to be fetched")
        await self._sync()
        self._over()

    def _over(self) -> None:
        """Kept before anything can be written: whoever starts over here says so first."""
        self.record.over()
        self.gate.open()

    async def _served(self, ready: Callable[[], None]) -> None:
        await self.hooks.start()
        self._skills()
        await self._agent(ready)

    async def _agent(self, ready: Callable[[], None]) -> None:
        # Its start reads and restores configuration files of the checkout.
        with self.report.phase("harness"):
            async with self.sync.files_change:
                await self._start_harness()
        ready()

    async def _start_harness(self) -> None:
        try:
            await self.harness.start()
        except HarnessFailed as error:
            raise BootFailed(str(error), kind="agent") from error

    async def _sync(self) -> list[Synced]:
        with self.report.phase("sync") as remarks:
            synced = await self.sync.run(self.pairs)
            remarks.warning = "; ".join(each.warning for each in synced if each.warning) or None
        return synced

    def _skills(self) -> None:
        with self.report.phase("skills") as remarks:
            found = [skills.carried_by(checkout.git.directory) for checkout, _ in self.pairs]
            logger.info("skills", extra={"names": [name for each in found for name in each.names]})
            problems = [problem for each in found for problem in each.problems]
            remarks.warning = "; ".join(problems) or None


async def _side_by_side(*work: Coroutine[Any, Any, None]) -> None:
    """The first that fails ends the others."""
    try:
        async with asyncio.TaskGroup() as group:
            for each in work:
                group.create_task(each)
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None
