import asyncio
from datetime import timedelta

import pytest

from sandbox_bridge.boot.gate import PATIENCE, BootGate
from sandbox_bridge.harness.seam import WritesRefused


def test_it_lets_through_whoever_waits_when_it_opens_and_who_comes_later():
    async def scenario() -> bool:
        gate = BootGate()
        waiting = [asyncio.create_task(gate.wait()) for _ in range(3)]
        await asyncio.sleep(0)
        held = not gate.is_open and not any(task.done() for task in waiting)
        gate.open()
        await asyncio.gather(*waiting, gate.wait(), gate.opened())
        return held

    assert asyncio.run(scenario())


def test_each_write_waits_its_own_time_and_is_told_what_for():
    async def scenario() -> list[str]:
        gate = BootGate(timedelta(milliseconds=30))
        gate.waits_for("the session branch to be fetched")
        refusals: list[str] = []
        for _ in range(2):
            with pytest.raises(WritesRefused) as refused:
                await gate.wait()
            refusals.append(str(refused.value))
            gate.waits_for(".openinspect/start.sh to end")
        gate.open()
        await gate.wait()
        return refusals

    first, second = asyncio.run(scenario())

    assert "still waits for the session branch to be fetched after 0.0005 minutes" in first
    assert ".openinspect/start.sh to end" in second


def test_it_is_as_patient_as_it_says():
    assert timedelta(minutes=5) == PATIENCE
    assert "after 5 minutes" in BootGate()._sentence
