"""The boot of a sandbox, phase by phase, while the bridge is already connected.

    starting ─▶ sync ─▶ setup ─▶ start ─▶ skills ─▶ harness ─▶ ready

A fresh one clones and runs each `setup.sh`; a resumed one keeps its files and does neither.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sandbox_bridge.boot import skills
from sandbox_bridge.boot.record import SetupRecord
from sandbox_bridge.boot.report import BootFailed, Remarks, Report
from sandbox_bridge.boot.scripts import Ran, run_script
from sandbox_bridge.boot.sync import Synced, sync
from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.harness.seam import Harness, HarnessFailed
from sandbox_bridge.redaction import Redactor
from shared.protocol.bridge import Identity
from shared.protocol.events import Phase

logger = logging.getLogger(__name__)

SETUP: Final = ".openinspect/setup.sh"
START: Final = ".openinspect/start.sh"


@dataclass(frozen=True, slots=True, kw_only=True)
class Boot:
    identity: Identity
    directories: Sequence[Path]
    """What has to be there before anything else."""

    checkouts: Sequence[Checkout]
    environment: Mapping[str, str]
    redact: Redactor
    record: SetupRecord
    harness: Harness
    report: Report

    async def run(self) -> None:
        """Raises `BootFailed`, and nothing else."""
        with self.report.phase("starting"):
            for directory in self.directories:
                directory.mkdir(parents=True, exist_ok=True)
        fresh = await self._sync()
        await self._setup(fresh)
        await self._start()
        self._skills()
        with self.report.phase("harness"):
            await self._harness()

    async def _sync(self) -> list[Checkout]:
        """The checkouts that this attempt has cloned."""
        pairs = list(zip(self.checkouts, self.identity.repositories, strict=True))
        with self.report.phase("sync") as remarks:
            outcome = await sync(pairs, resumed=self.identity.resumed)
            remarks.warning = _joined(outcome)
        return [
            checkout
            for checkout, synced in zip(self.checkouts, outcome, strict=True)
            if synced.cloned
        ]

    async def _setup(self, fresh: list[Checkout]) -> None:
        due = [checkout for checkout in _with(SETUP, fresh) if not self.record.holds(checkout.name)]
        if not due and not self.identity.resumed:
            self._nothing_in("setup")
        for checkout in due:
            with self.report.phase("setup", checkout.name) as remarks:
                ran = await self._script(checkout, SETUP)
                _warn(remarks, SETUP, ran)
            self.record.add(checkout.name)

    async def _start(self) -> None:
        due = _with(START, self.checkouts)
        if not due:
            self._nothing_in("start")
        for checkout in due:
            with self.report.phase("start", checkout.name) as remarks:
                ran = await self._script(checkout, START)
                if ran.status != 0 and checkout is self.checkouts[0]:
                    raise BootFailed(_ended(START, ran), tail=ran.tail)
                _warn(remarks, START, ran)

    def _nothing_in(self, phase: Phase) -> None:
        with self.report.phase(phase):
            pass

    async def _script(self, checkout: Checkout, script: str) -> Ran:
        place = checkout.git.directory
        mode = "snapshot_restore" if self.identity.resumed else "fresh"
        return await run_script(
            place / script,
            within=place,
            environment={**self.environment, "OPENINSPECT_BOOT_MODE": mode},
            redact=self.redact,
        )

    async def _harness(self) -> None:
        try:
            await self.harness.start()
        except HarnessFailed as error:
            raise BootFailed(str(error)) from error

    def _skills(self) -> None:
        with self.report.phase("skills") as remarks:
            found = [skills.carried_by(checkout.git.directory) for checkout in self.checkouts]
            logger.info("skills", extra={"names": [name for each in found for name in each.names]})
            problems = [problem for each in found for problem in each.problems]
            remarks.warning = "; ".join(problems) or None


def _with(script: str, checkouts: Sequence[Checkout]) -> list[Checkout]:
    return [checkout for checkout in checkouts if (checkout.git.directory / script).is_file()]


def _joined(outcome: list[Synced]) -> str | None:
    return "; ".join(synced.warning for synced in outcome if synced.warning) or None


def _warn(remarks: Remarks, script: str, ran: Ran) -> None:
    if ran.status != 0:
        remarks.warning, remarks.tail = _ended(script, ran), ran.tail


def _ended(script: str, ran: Ran) -> str:
    if ran.status < 0:
        return f"{script} was ended by signal {-ran.status}"
    return f"{script} ended with status {ran.status}"
