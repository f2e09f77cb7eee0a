"""Holds back what may write until nothing of the boot can overwrite it any more."""

import asyncio
from datetime import timedelta

from sandbox_bridge.harness.seam import WritesRefused

PATIENCE = timedelta(minutes=5)
"""Of each write that is held, from when it was tried."""


class BootGate:
    """A `WriteGate` that the boot opens once and for all."""

    def __init__(self, patience: timedelta = PATIENCE) -> None:
        self._patience = patience
        self._opened = asyncio.Event()
        self._waits_for = "the workspace"

    @property
    def is_open(self) -> bool:
        return self._opened.is_set()

    def waits_for(self, what: str) -> None:
        """Said to whoever waits in vain."""
        self._waits_for = what

    def open(self) -> None:
        self._opened.set()

    async def opened(self) -> None:
        """However long that takes."""
        await self._opened.wait()

    async def wait(self) -> None:
        try:
            async with asyncio.timeout(self._patience.total_seconds()):
                await self._opened.wait()
        except TimeoutError:
            raise WritesRefused(self._sentence) from None

    @property
    def _sentence(self) -> str:
        waited = f"{self._patience / timedelta(minutes=1):g} minutes"
        return (
            f"nothing was changed: the workspace still waits for {self._waits_for} after {waited}; "
            "reading works, and a later try may pass"
        )
