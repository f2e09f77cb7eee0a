"""What may write waits for the workspace; what reads does not."""

import asyncio

import pytest

from sandbox_bridge.harness.opencode.harness import OpenCode
from sandbox_bridge.harness.seam import Outcome, WritesRefused
from tests.model import script
from tests.sandbox_bridge.eventually import eventually
from tests.sandbox_bridge.harness.world import World, bash

pytestmark = pytest.mark.sandbox


class Gate:
    """Opened, or refused, by the test."""

    def __init__(self) -> None:
        self.decided = asyncio.Event()
        self.refusal: str | None = None

    async def wait(self) -> None:
        await self.decided.wait()
        if self.refusal:
            raise WritesRefused(self.refusal)

    def refuse(self, sentence: str) -> None:
        self.refusal = sentence
        self.decided.set()

    def shut(self) -> None:
        self.refusal = None
        self.decided.clear()


def test_writes_wait_or_are_refused_while_reads_are_answered(world: World):
    """One agent for all of it: starting one takes longer than the rest."""
    sentence = "the repository was not ready within 5 minutes"

    async def scenario() -> None:
        gate = Gate()
        async with world.harness(gate=gate) as harness:
            gate.refuse(sentence)
            await _refused_writes_fail_with_the_sentence(world, harness, sentence)
            gate.shut()
            await _a_turn_whose_write_waits_can_be_stopped(world, harness)
            await _a_read_passes_a_waiting_write(world, harness, gate)

    asyncio.run(scenario())


async def _refused_writes_fail_with_the_sentence(
    world: World, harness: OpenCode, sentence: str
) -> None:
    tried = script({"tools": [_write(world), bash("echo ran")]}, {"text": "Can't."})

    outcome = await world.turn(harness, tried)

    assert outcome == Outcome("completed")
    assert sorted(world.ended_tools()) == [("bash", "error"), ("write", "error")]
    assert {tool.error for tool in world.tools() if tool.status == "error"} == {sentence}


async def _a_turn_whose_write_waits_can_be_stopped(world: World, harness: OpenCode) -> None:
    world.events.clear()
    turn = world.starting(harness, script({"tools": [_write(world)]}, {"text": "never"}))
    await eventually(lambda: world.tools("write"))

    assert await harness.stop_turn()
    assert await turn == Outcome("stopped")
    assert not (world.workdir / "new.txt").exists()


async def _a_read_passes_a_waiting_write(world: World, harness: OpenCode, gate: Gate) -> None:
    world.events.clear()
    tools = [_write(world), bash("echo ran"), _read(world)]
    turn = world.starting(harness, script({"tools": tools}, {"text": "Done."}))
    await eventually(world.ended_tools)
    before = world.ended_tools()
    gate.decided.set()

    assert await turn == Outcome("completed")
    assert before == [("read", "completed")]
    assert sorted(world.ended_tools())[::2] == [("bash", "completed"), ("write", "completed")]
    assert (world.workdir / "new.txt").read_text() == "new"


def _write(world: World) -> dict[str, object]:
    path = str(world.workdir / "new.txt")
    return {"name": "write", "args": {"filePath": path, "content": "new"}}


def _read(world: World) -> dict[str, object]:
    return {"name": "read", "args": {"filePath": str(world.workdir / "greeting.txt")}}
