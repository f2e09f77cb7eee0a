"""The scripts that repositories carry: setup, for one that is new, and start, at each boot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sandbox_bridge.boot.record import BootRecord
from sandbox_bridge.boot.report import BootFailed, Remarks, Report
from sandbox_bridge.boot.scripts import Ran, run_script
from sandbox_bridge.boot.tunnels import Tunnels
from sandbox_bridge.environment import SERVICE
from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.redaction import Redactor
from shared.protocol.bridge import BootPath

SETUP: Final = ".openinspect/setup.sh"
START: Final = ".openinspect/start.sh"

_MODES: Final[Mapping[BootPath, str]] = {
    "fresh": "fresh",
    "resume": "snapshot_restore",
    "restore": "snapshot_restore",
    "image": "repo_image",
}
"""What scripts that were written for Open-Inspect ask for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    path: BootPath
    checkouts: Sequence[Checkout]
    environment: Mapping[str, str]
    redact: Redactor
    record: BootRecord
    report: Report
    tunnels: Tunnels

    async def setup(self, new: Sequence[Checkout]) -> None:
        """One after the other; a failure is a warning. Not again in a boot that starts over."""
        due = [each for each in _with(SETUP, new) if not self.record.holds("set up", each.name)]
        if not due and self.path == "fresh":
            with self.report.phase("setup"):
                return
        for checkout in due:
            with self.report.phase("setup", checkout.name) as remarks:
                ran = await self._run(checkout, SETUP)
                _warn(remarks, SETUP, ran)
            self.record.add("set up", checkout.name)

    async def start(self) -> None:
        """One after the other. Raises `BootFailed` when that of the first repository fails."""
        due = _with(START, self.checkouts)
        if not due:
            with self.report.phase("start"):
                return
        for checkout in due:
            with self.report.phase("start", checkout.name) as remarks:
                if checkout is due[0]:
                    remarks.warning = await self.tunnels.wait()
                ran = await self._run(checkout, START)
                if ran.status != 0 and checkout is self.checkouts[0]:
                    raise BootFailed(_ended(START, ran), kind="script", tail=ran.tail)
                _warn(remarks, START, ran)

    async def _run(self, checkout: Checkout, script: str) -> Ran:
        place = checkout.git.directory
        return await run_script(
            place / script,
            within=place,
            environment={
                **self.environment,
                SERVICE: checkout.name,
                "OPENINSPECT_BOOT_MODE": _MODES[self.path],
            },
            redact=self.redact,
        )


def _with(script: str, checkouts: Sequence[Checkout]) -> list[Checkout]:
    return [checkout for checkout in checkouts if (checkout.git.directory / script).is_file()]


def _warn(remarks: Remarks, script: str, ran: Ran) -> None:
    if ran.status != 0:
        remarks.warn(_ended(script, ran))
        remarks.tail = ran.tail


def _ended(script: str, ran: Ran) -> str:
    if ran.status < 0:
        return f"{script} was ended by signal {-ran.status}"
    return f"{script} ended with status {ran.status}"
