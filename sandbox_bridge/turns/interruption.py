"""Waits for something unless a stop is ordered: a turn's own work ends with the turn, too."""

import asyncio
from collections.abc import Awaitable
from datetime import timedelta

AT_ONCE = timedelta(0)


class Interrupted(Exception):
    """It was cancelled, and is over."""


async def unless[T](stop: asyncio.Event, work: Awaitable[T], *, grace: timedelta = AT_ONCE) -> T:
    """What `work` comes to; a stop leaves it `grace` to end by itself. Raises `Interrupted`."""
    working = asyncio.ensure_future(work)
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            await asyncio.wait({working}, timeout=grace.total_seconds())
        if working.done():
            return working.result()
    finally:
        stopping.cancel()
        working.cancel()
    await asyncio.wait({working})
    raise Interrupted
