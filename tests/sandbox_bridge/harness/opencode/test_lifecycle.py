"""What happens to a real OpenCode and its turns when things are stopped, killed or cut."""

import asyncio
import os
import signal
import socket
from pathlib import Path

import pytest

from sandbox_bridge.harness.family import Family, Process
from sandbox_bridge.harness.seam import HarnessFailed, Outcome
from tests.model import Model, script
from tests.sandbox_bridge.eventually import eventually
from tests.sandbox_bridge.harness.world import World, bash

pytestmark = pytest.mark.sandbox

STUBBORN = "trap '' TERM; echo started; setsid sleep 4711 & sleep 4712"


def test_a_stop_ends_the_turn_and_all_that_its_tools_started(world: World):
    async def scenario() -> tuple[Outcome, bool, list[str], Outcome]:
        async with world.harness() as harness:
            await world.turn(harness, script({"tools": [bash(_service())]}, {"text": "Serving."}))
            turn = world.starting(harness, script({"tools": [bash(STUBBORN)]}))
            await eventually(lambda: "started" in _output(world))
            contained = await harness.stop_turn()
            left = _commands(world)
            after = await world.turn(harness, script({"text": "Next."}))
            return await turn, contained, left, after

    outcome, contained, left, after = asyncio.run(scenario())

    assert outcome == Outcome("stopped")
    assert contained
    # What an earlier turn left running on purpose is not this turn's.
    assert left == ["sleep 4710"]
    assert world.tools("bash")[-1].status == "error"
    assert after == Outcome("completed")
    assert _commands(world) == []


def test_a_stop_without_a_turn_is_already_done(world: World):
    harness = world.make()

    assert asyncio.run(harness.stop_turn())


def test_a_stop_ends_a_turn_that_waits_for_its_model(world: World):
    async def scenario() -> tuple[Outcome, bool, Outcome]:
        async with world.harness() as harness:
            turn = world.starting(harness, script({"text": "late", "hang": 300}))
            await eventually(world.model.requests)
            contained = await harness.stop_turn()
            return await turn, contained, await world.turn(harness, script({"text": "Next."}))

    outcome, contained, after = asyncio.run(scenario())

    assert outcome == Outcome("stopped")
    assert contained
    assert after == Outcome("completed")


def test_a_cancelled_turn_leaves_nothing_running(world: World):
    async def scenario() -> tuple[list[str], Outcome]:
        async with world.harness() as harness:
            turn = world.starting(harness, script({"tools": [bash(STUBBORN)]}))
            await eventually(lambda: "started" in _output(world))
            turn.cancel()
            with pytest.raises(asyncio.CancelledError):
                await turn
            return _commands(world), await world.turn(harness, script({"text": "Next."}))

    left, after = asyncio.run(scenario())

    assert left == []
    assert after == Outcome("completed")


def test_a_killed_agent_fails_its_turn_and_takes_the_next_in_the_same_conversation(
    world: World, model: Model
):
    async def scenario() -> tuple[Outcome, list[str], Outcome]:
        async with world.harness() as harness:
            turn = world.starting(harness, "Mind the gap. " + script({"tools": [bash(STUBBORN)]}))
            await eventually(lambda: "started" in _output(world))
            os.kill(_server(world), signal.SIGKILL)
            failed = await turn
            left = _commands(world)
            return failed, left, await world.turn(harness, script({"text": "Next."}))

    failed, left, after = asyncio.run(scenario())

    assert failed == Outcome("failed", "opencode was killed by SIGKILL")
    assert left == []
    closed = world.tools("bash")[-1]
    assert (closed.status, closed.error) == ("error", "opencode was killed by SIGKILL")
    assert after == Outcome("completed")
    assert "Mind the gap." in str(model.requests()[-1]["body"]["messages"])


def test_a_lost_connection_loses_nothing_of_the_turn(world: World):
    slow = "for i in 1 2 3 4 5 6; do echo line $i; sleep 0.3; done"
    prompt = script({"text": "Going.", "tools": [bash(slow)]}, {"text": "Gone."})

    async def scenario() -> tuple[int, Outcome]:
        async with world.harness() as harness:
            turn = world.starting(harness, prompt)
            await eventually(lambda: "line 2" in _output(world))
            cut = _cut_connections(world)
            return cut, await turn

    cut, outcome = asyncio.run(scenario())

    assert cut > 0
    assert outcome == Outcome("completed")
    assert world.final_texts() == ["Going.", "Gone."]
    assert world.tools("bash")[-1].output.endswith("line 6\n")
    calls = {tool.call for tool in world.tools("bash")}
    assert len(calls) == 1


def test_a_sandbox_that_wakes_up_goes_on_with_its_conversation(world: World, model: Model):
    async def before() -> None:
        async with world.harness() as harness:
            await world.turn(harness, "My lucky number is 4713. " + script({"text": "Noted."}))

    async def after() -> Outcome:
        async with world.harness() as harness:
            return await world.turn(harness, script({"text": "Still here."}))

    asyncio.run(before())
    outcome = asyncio.run(after())

    assert outcome == Outcome("completed")
    assert "4713" in str(model.requests()[-1]["body"]["messages"])


def test_a_bridge_that_was_killed_leaves_no_second_agent(world: World):
    async def scenario() -> tuple[list[int], Outcome]:
        abandoned = world.make()
        await abandoned.start()
        first = _server(world)
        async with world.harness() as harness:
            servers = [first, _server(world)]
            outcome = await world.turn(harness, script({"text": "Alone."}))
        await abandoned.close()
        return servers, outcome

    (first, second), outcome = asyncio.run(scenario())

    assert first != second
    assert not Path(f"/proc/{first}").exists()
    assert outcome == Outcome("completed")


def test_an_agent_that_can_t_start_says_why(world: World, tmp_path: Path):
    broken = tmp_path / "node_modules" / "opencode-linux-x64" / "bin" / "opencode"
    broken.parent.mkdir(parents=True)
    broken.write_text("#!/bin/sh\necho no such luck\nexit 7\n")
    broken.chmod(0o755)
    world.opencode = broken

    with pytest.raises(HarnessFailed) as failed:
        asyncio.run(world.make().start())

    assert str(failed.value) == "opencode ended with status 7 before it listened: no such luck"


def test_without_any_model_it_does_not_start(world: World):
    harness = world.make({"PATH": "only"})

    with pytest.raises(HarnessFailed, match="no key of a provider is set"):
        asyncio.run(harness.start())


def _service() -> str:
    return "setsid sleep 4710 > /dev/null 2>&1 & echo up"


def _output(world: World) -> str:
    return "".join(tool.output for tool in world.tools("bash")[-1:])


def _family(world: World) -> list[Process]:
    return sorted(Family(str(world.state)).members(), key=lambda process: process.started)


def _server(world: World) -> int:
    """The oldest of the family that leads a group: OpenCode itself."""
    return _family(world)[0].pid


def _commands(world: World) -> list[str]:
    """What its tools run; the server and its helpers are left out."""
    commands = (_command(process.pid) for process in _family(world))
    return sorted(command for command in commands if "opencode" not in command and command)


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except FileNotFoundError:
        return ""


def _cut_connections(world: World) -> int:
    """Ends every connection of this process to the agent, as a broken network would."""
    ports = set(_listening_ports(_server(world)))
    cut = 0
    for entry in Path("/proc/self/fd").iterdir():
        try:
            ours = socket.socket(fileno=os.dup(int(entry.name)))
        except OSError:
            continue
        with ours:
            if _peer_port(ours) in ports:
                ours.shutdown(socket.SHUT_RDWR)
                cut += 1
    return cut


def _peer_port(ours: socket.socket) -> int | None:
    try:
        peer = ours.getpeername()
    except OSError:
        return None
    return peer[1] if isinstance(peer, tuple) else None


def _listening_ports(pid: int) -> list[int]:
    inodes = {str(entry.readlink()) for entry in Path(f"/proc/{pid}/fd").iterdir()}
    rows = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
    return [
        int(row[1].split(":")[1], 16)
        for row in rows
        if row[3] == "0A" and f"socket:[{row[9]}]" in inodes
    ]
