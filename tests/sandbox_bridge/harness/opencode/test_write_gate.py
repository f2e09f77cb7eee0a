"""What may write waits for the workspace; what reads does not."""

import asyncio

import pytest

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


def test_a_read_is_answered_while_a_write_waits(world: World):
    prompt = script({"tools": [_write(world), bash("echo ran"), _read(world)]}, {"text": "Done."})

    async def scenario() -> tuple[list[tuple[str, str]], Outcome, Outcome]:
        gate = Gate()
        async with world.harness(gate=gate) as harness:
            turn = world.starting(harness, prompt)
            await eventually(world.ended_tools)
            before = world.ended_tools()
            gate.decided.set()
            first = await turn
            return before, first, await world.turn(harness, script({"text": "Next."}))

    before, first, second = asyncio.run(scenario())

    assert before == [("read", "completed")]
    assert first == second == Outcome("completed")
    assert sorted(world.ended_tools()) == [
        ("bash", "completed"),
        ("read", "completed"),
        ("write", "completed"),
    ]
    assert (world.workdir / "new.txt").read_text() == "new"


def test_a_refused_write_fails_with_the_sentence_and_a_waiting_one_can_be_stopped(world: World):
    sentence = "the repository was not ready within 5 minutes"
    tried = script({"tools": [_write(world), bash("echo ran")]}, {"text": "Can't."})

    async def scenario() -> tuple[Outcome, bool, Outcome]:
        gate = Gate()
        async with world.harness(gate=gate) as harness:
            gate.refuse(sentence)
            refused = await world.turn(harness, tried)
            gate.decided.clear()
            turn = world.starting(harness, script({"tools": [_write(world)]}, {"text": "never"}))
            await eventually(lambda: len({tool.call for tool in world.tools("write")}) == 2)
            return refused, await harness.stop_turn(), await turn

    refused, contained, stopped = asyncio.run(scenario())

    assert refused == Outcome("completed")
    assert contained
    assert stopped == Outcome("stopped")
    assert [tool.error for tool in world.tools() if tool.status == "error"][:2] == [sentence] * 2
    assert not (world.workdir / "new.txt").exists()


def _write(world: World) -> dict[str, object]:
    path = str(world.workdir / "new.txt")
    return {"name": "write", "args": {"filePath": path, "content": "new"}}


def _read(world: World) -> dict[str, object]:
    return {"name": "read", "args": {"filePath": str(world.workdir / "greeting.txt")}}
