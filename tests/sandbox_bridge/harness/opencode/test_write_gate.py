"""What may write waits for the workspace; what reads does not."""

import asyncio
from datetime import timedelta

import pytest

from sandbox_bridge.boot.gate import BootGate
from sandbox_bridge.harness.opencode.harness import OpenCode
from sandbox_bridge.harness.seam import Outcome
from tests.model import script
from tests.sandbox_bridge.eventually import eventually
from tests.sandbox_bridge.harness.world import World, bash

pytestmark = pytest.mark.sandbox


class Gates:
    """One boot's gate after the other, at the door of an agent that stays."""

    def __init__(self) -> None:
        self.boot = BootGate(timedelta(seconds=0.5))
        self.boot.waits_for("the session branch to be fetched")

    async def wait(self) -> None:
        await self.boot.wait()


def test_writes_wait_or_are_refused_while_reads_are_answered(world: World):
    """One agent for all of it: starting one takes longer than the rest."""

    async def scenario() -> None:
        gates = Gates()
        async with world.harness(gate=gates) as harness:
            await _refused_writes_fail_with_the_sentence(world, harness)
            gates.boot = BootGate()
            await _a_turn_whose_write_waits_can_be_stopped(world, harness)
            await _a_read_passes_a_waiting_write(world, harness, gates.boot)

    asyncio.run(scenario())


async def _refused_writes_fail_with_the_sentence(world: World, harness: OpenCode) -> None:
    tried = script({"tools": [_write(world), bash("echo ran")]}, {"text": "Can't."})

    outcome = await world.turn(harness, tried)

    assert outcome == Outcome("completed")
    assert sorted(world.ended_tools()) == [("bash", "error"), ("write", "error")]
    (sentence,) = {tool.error for tool in world.tools() if tool.status == "error"}
    assert sentence
    assert "still waits for the session branch to be fetched" in sentence


async def _a_turn_whose_write_waits_can_be_stopped(world: World, harness: OpenCode) -> None:
    world.events.clear()
    turn = world.starting(harness, script({"tools": [_write(world)]}, {"text": "never"}))
    await eventually(lambda: world.tools("write"))

    assert await harness.stop_turn()
    assert await turn == Outcome("stopped")
    assert not (world.workdir / "new.txt").exists()


async def _a_read_passes_a_waiting_write(world: World, harness: OpenCode, gate: BootGate) -> None:
    world.events.clear()
    tools = [_write(world), bash("echo ran"), _read(world)]
    turn = world.starting(harness, script({"tools": tools}, {"text": "Done."}))
    await eventually(world.ended_tools)
    before = world.ended_tools()
    gate.open()

    assert await turn == Outcome("completed")
    assert before == [("read", "completed")]
    assert sorted(world.ended_tools())[::2] == [("bash", "completed"), ("write", "completed")]
    assert (world.workdir / "new.txt").read_text() == "new"


def _write(world: World) -> dict[str, object]:
    path = str(world.workdir / "new.txt")
    return {"name": "write", "args": {"filePath": path, "content": "new"}}


def _read(world: World) -> dict[str, object]:
    return {"name": "read", "args": {"filePath": str(world.workdir / "greeting.txt")}}
