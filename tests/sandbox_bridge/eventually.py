"""Waits for a condition, with a deadline that only a broken program reaches."""

import asyncio
from collections.abc import Callable

DEADLINE = 30.0


async def eventually(condition: Callable[[], object], within: float = DEADLINE) -> None:
    async with asyncio.timeout(within):
        while not condition():  # noqa: ASYNC110 - the world outside sets no event
            await asyncio.sleep(0.02)
