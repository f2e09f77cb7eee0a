import asyncio
from datetime import timedelta

import pytest

from sandbox_bridge.turns.interruption import Interrupted, unless

LONG = timedelta(hours=1)


def test_what_ends_by_itself_says_what_it_came_to():
    async def scenario() -> str:
        return await unless(asyncio.Event(), asyncio.sleep(0, "done"))

    assert asyncio.run(scenario()) == "done"


def test_what_raises_raises():
    async def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        asyncio.run(unless(asyncio.Event(), fail()))


def test_a_stop_ends_it_and_waits_until_it_is_over():
    async def scenario() -> list[str]:
        stop, told = asyncio.Event(), list[str]()

        async def work() -> None:
            try:
                stop.set()
                await asyncio.Event().wait()
            finally:
                told.append("over")

        with pytest.raises(Interrupted):
            await unless(stop, work())
        return told

    assert asyncio.run(scenario()) == ["over"]


def test_a_stop_leaves_it_the_time_that_it_was_given():
    async def scenario() -> str:
        stop = asyncio.Event()
        stop.set()
        return await unless(stop, asyncio.sleep(0.02, "done"), grace=LONG)

    assert asyncio.run(scenario()) == "done"
