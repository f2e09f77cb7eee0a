"""Compares after each turn and when somebody asks, hands it in and says so; nobody waits for it.

One comparison is under way at a time. What comes to nothing is a warning and a sentence for the
server, which keeps what it had; the turn is over, however this ends.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sandbox_bridge.boot.gate import BootGate
from sandbox_bridge.changes.comparing import compare
from sandbox_bridge.changes.fitting import fit
from sandbox_bridge.files.server import FileFailed
from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.command import GitFailed
from sandbox_bridge.harness.seam import Emit
from shared.protocol.change_bundles import (
    MAX_FAILURE_CHARS,
    BundledRepository,
    ChangesTaken,
    NewChanges,
)
from shared.protocol.events import ChangesUpdated, Warned

logger = logging.getLogger(__name__)

WITHIN = timedelta(minutes=3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Whom the reporter deals with. `prompt`: the newest whose turn has left its files here."""

    checkouts: Sequence[Checkout]
    gate: BootGate
    emit: Emit
    hand_in: Callable[[NewChanges], Awaitable[ChangesTaken]]
    prompt: Callable[[], int]
    now: Callable[[], datetime]
    look: Callable[[Checkout], Awaitable[BundledRepository]] = compare
    within: timedelta = WITHIN


class Reporter:
    """`Comparing` for real."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.task: asyncio.Task[None] | None = None
        """The newest."""
        self._asked = False
        self._told: str | None = None
        self._warned: str | None = None

    def compare(self, *, asked: bool = False) -> None:
        self._asked = self._asked or asked
        before = self.task
        self.task = asyncio.create_task(self._report(before))

    async def close(self) -> None:
        if self.task:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)

    async def _report(self, before: asyncio.Task[None] | None) -> None:
        if before:
            before.cancel()
            await asyncio.gather(before, return_exceptions=True)
        try:
            await self._handed_in(await self._compared())
        except FileFailed as failure:
            self._warn(str(failure), asked=self._asked)
        except Exception as error:
            # The outermost guard: it is nobody's turn, and nothing of the bridge ends with it.
            logger.exception("changes")
            self._warn(type(error).__name__, asked=self._asked)

    async def _compared(self) -> NewChanges:
        # Where the agent only read, its turn may end before the boot has left the files alone.
        await self._desk.gate.opened()
        prompt = self._desk.prompt()
        try:
            async with asyncio.timeout(self._desk.within.total_seconds()):
                found = [await self._one(checkout) for checkout in self._desk.checkouts]
        except TimeoutError:
            seconds = int(self._desk.within.total_seconds())
            why = f"it took longer than {seconds} s to compare the files"
            return NewChanges(compared_at=self._desk.now(), prompt=prompt, error=why)
        return fit(found, compared_at=self._desk.now(), prompt=prompt)

    async def _one(self, checkout: Checkout) -> BundledRepository:
        try:
            return await self._desk.look(checkout)
        except (GitFailed, OSError) as error:
            logger.warning("not compared", extra={"repository": checkout.name})
            why = checkout.git.redact(str(error))[:MAX_FAILURE_CHARS]
            return BundledRepository(name=checkout.name, error=why or "git failed")

    async def _handed_in(self, new: NewChanges) -> None:
        taken = await self._desk.hand_in(new)
        asked, self._asked = self._asked, False
        logger.info("changes", extra={"prompt": new.prompt, "revision": taken.revision})
        if new.error:
            self._warn(new.error, asked=asked)
        elif taken.revision:
            self._warned = None
            self._tell(_updated(new, taken.revision), heard=asked or taken.changed)

    def _tell(self, updated: ChangesUpdated, *, heard: bool) -> None:
        """Also of one that the server had already: the answer that said so may have been lost."""
        is_news = updated.revision != self._told and (updated.files or self._told)
        if heard or is_news:
            self._desk.emit(updated)
        self._told = updated.revision

    def _warn(self, why: str, *, asked: bool) -> None:
        """The same reason once, unless somebody waits."""
        if asked or why != self._warned:
            message = f"what has changed cannot be shown: {why}"
            self._desk.emit(Warned(message=message, scope="changes"))
        self._asked, self._warned = False, why


def _updated(new: NewChanges, revision: str) -> ChangesUpdated:
    changed = [each for each in new.repositories if each.files or each.left_out]
    return ChangesUpdated(
        prompt=new.prompt,
        revision=revision,
        files=sum(len(each.files) + each.left_out for each in changed),
        additions=sum(each.additions for each in changed),
        deletions=sum(each.deletions for each in changed),
        repositories=len(changed),
    )
