"""What happens to a real OpenCode and its turns when things are stopped, killed or cut."""

import asyncio
import os
import signal
import socket
from pathlib import Path

import pytest

from sandbox_bridge.harness.family import Family, Process
from sandbox_bridge.harness.opencode.harness import OpenCode
from sandbox_bridge.harness.seam import HarnessFailed, Outcome, Turn
from sandbox_bridge.redaction import Redactor
from sandbox_bridge.turns.performance import Performed, perform
from sandbox_bridge.turns.stage import Stage
from tests.model import Model, script
from tests.sandbox_bridge.eventually import eventually
from tests.sandbox_bridge.harness.world import DEMO, Agent, World, bash

pytestmark = pytest.mark.sandbox

STUBBORN = "trap '' TERM; echo started; setsid sleep 4711 & sleep 4712"
SERVICE = "setsid sleep 4710 > /dev/null 2>&1 & echo up"
NEXT = script({"text": "Next."})


def test_a_stop_ends_the_turn_and_all_that_its_tools_started(agent: Agent):
    world = agent.world

    async def scenario(harness: OpenCode) -> tuple[bool, Outcome, list[str], Outcome]:
        await agent.starting(script({"tools": [bash(SERVICE)]}, {"text": "Serving."}))
        turn = agent.starting(script({"tools": [bash(STUBBORN)]}))
        await eventually(lambda: "started" in _output(world))
        contained = await harness.stop_turn()
        return contained, await turn, _commands(world), await agent.starting(NEXT)

    contained, outcome, left, after = agent.play(scenario)

    assert contained
    assert outcome == Outcome("stopped")
    # What an earlier turn left running on purpose is not this turn's.
    assert left == ["sleep 4710"]
    assert world.tools("bash")[-1].status == "error"
    assert after == Outcome("completed")


ANSWERED_WITHIN = 15.0
"""How long the server waits for the answer to a stop."""

SILENT = "trap '' TERM INT HUP; (trap '' TERM INT HUP; setsid sleep 4713) & sleep 4714; sleep 4715"


@pytest.mark.parametrize("frozen", [False, True])
def test_a_stop_is_answered_in_time_whatever_the_tool_ignores(world: World, frozen: bool):
    """And when OpenCode itself does not answer any more."""

    async def scenario() -> tuple[Performed, list[str], Outcome]:
        async with world.harness() as harness:
            stop, stage = asyncio.Event(), Stage(1, world.events.append)
            turn = Turn(1, script({"tools": [bash(SILENT)]}), DEMO)
            performing = asyncio.create_task(perform(harness, turn, stage, stop))
            await eventually(lambda: "sleep 4713" in _commands(world))
            if frozen:
                os.kill(_server(world), signal.SIGSTOP)
            stop.set()
            async with asyncio.timeout(ANSWERED_WITHIN):
                performed = await performing
            left = _commands(world)
            await harness.start()
            return performed, left, await world.turn(harness, NEXT)

    performed, left, after = asyncio.run(scenario())

    assert performed.outcome.status == "stopped"
    assert left == []
    assert after == Outcome("completed")


def test_a_stop_without_a_turn_is_already_done(world: World):
    harness = world.make()

    assert asyncio.run(harness.stop_turn())


def test_a_stop_ends_a_turn_that_waits_for_its_model(agent: Agent):
    async def scenario(harness: OpenCode) -> tuple[bool, Outcome, Outcome]:
        agent.world.model.forget_requests()
        turn = agent.starting(script({"text": "late", "hang": 300}))
        await eventually(agent.world.model.requests)
        contained = await harness.stop_turn()
        return contained, await turn, await agent.starting(NEXT)

    assert agent.play(scenario) == (True, Outcome("stopped"), Outcome("completed"))


def test_a_stop_at_once_stops_the_turn_before_or_after_it_was_asked(agent: Agent):
    async def scenario(harness: OpenCode) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for delay in (0.0, 0.01, 0.03, 0.06, 0.1):
            turn = agent.starting(script({"text": "late", "hang": 300}))
            await asyncio.sleep(delay)
            assert await harness.stop_turn()
            outcomes.append(await turn)
        return [*outcomes, await agent.starting(NEXT)]

    *stopped, after = agent.play(scenario)

    assert stopped == [Outcome("stopped")] * 5
    assert after == Outcome("completed")
    assert agent.world.final_texts() == ["Next."]


def test_a_cancelled_turn_leaves_nothing_running(agent: Agent):
    world = agent.world

    async def scenario(harness: OpenCode) -> tuple[list[str], Outcome]:
        before = _commands(world)
        turn = agent.starting(script({"tools": [bash(STUBBORN)]}))
        await eventually(lambda: "started" in _output(world))
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
        left = [command for command in _commands(world) if command not in before]
        return left, await agent.starting(NEXT)

    assert agent.play(scenario) == ([], Outcome("completed"))
    assert world.tools("bash")[-1].error == "stopped"


def test_a_lost_connection_loses_nothing_of_the_turn(agent: Agent):
    world = agent.world
    slow = "for i in 1 2 3 4 5 6; do echo line $i; sleep 0.3; done"
    prompt = script({"text": "Going.", "tools": [bash(slow)]}, {"text": "Gone."})

    async def scenario(harness: OpenCode) -> tuple[int, Outcome]:
        turn = agent.starting(prompt)
        await eventually(lambda: "line 2" in _output(world))
        return _cut_connections(world), await turn

    cut, outcome = agent.play(scenario)

    assert cut > 0
    assert outcome == Outcome("completed")
    assert world.final_texts() == ["Going.", "Gone."]
    assert world.tools("bash")[-1].output.endswith("line 6\n")
    assert len({tool.call for tool in world.tools("bash")}) == 1


def test_a_conversation_that_the_agent_has_lost_begins_anew(agent: Agent):
    kept = agent.world.state / "opencode-session"
    kept.write_text("ses_dd3281efbffeZYKOTyWIOGshum")

    outcome = agent.turn(NEXT)

    assert outcome == Outcome("completed")
    assert kept.read_text() != "ses_dd3281efbffeZYKOTyWIOGshum"
    assert agent.turn(NEXT) == Outcome("completed")


def test_a_killed_agent_fails_its_turn_and_takes_the_next_in_the_same_conversation(
    world: World, model: Model
):
    async def scenario() -> tuple[Outcome, list[str], Outcome]:
        async with world.harness() as harness:
            turn = world.starting(harness, "Mind the gap. " + script({"tools": [bash(STUBBORN)]}))
            await eventually(lambda: "started" in _output(world))
            os.kill(_server(world), signal.SIGKILL)
            return await turn, _commands(world), await world.turn(harness, NEXT)

    failed, left, after = asyncio.run(scenario())

    assert failed == Outcome("failed", "opencode was killed by SIGKILL")
    assert left == []
    closed = world.tools("bash")[-1]
    assert (closed.status, closed.error) == ("error", "opencode was killed by SIGKILL")
    assert after == Outcome("completed")
    assert "Mind the gap." in str(model.requests()[-1]["body"]["messages"])


def test_a_new_bridge_goes_on_with_the_conversation_and_ends_the_agent_of_the_old_one(
    world: World, model: Model
):
    """The files are all that a sandbox keeps when it is paused, or when its bridge is killed."""

    async def scenario() -> tuple[int, Outcome]:
        killed = world.make()
        await world.turn(killed, "My lucky number is 4713. " + script({"text": "Noted."}))
        old = _server(world)
        async with world.harness() as harness:
            outcome = await world.turn(harness, NEXT)
        await killed.close()
        return old, outcome

    old, outcome = asyncio.run(scenario())

    assert not Path(f"/proc/{old}").exists()
    assert outcome == Outcome("completed")
    assert "4713" in str(model.requests()[-1]["body"]["messages"])


def test_an_agent_that_can_t_start_says_why(world: World, tmp_path: Path):
    broken = tmp_path / "node_modules" / "opencode-linux-x64" / "bin" / "opencode"
    broken.parent.mkdir(parents=True)
    broken.write_text("#!/bin/sh\necho no such luck\nexit 7\n")
    broken.chmod(0o755)
    world.opencode = broken

    with pytest.raises(HarnessFailed) as failed:
        asyncio.run(world.make().start())

    assert str(failed.value) == "opencode ended with status 7 before it listened: no such luck"


def test_what_it_says_when_it_can_t_start_is_cut_after_secrets_were_hidden(
    world: World, tmp_path: Path
):
    secret = "correct horse battery staple"
    broken = tmp_path / "node_modules" / "opencode-linux-x64" / "bin" / "opencode"
    broken.parent.mkdir(parents=True)
    broken.write_text(f"#!/bin/sh\necho '{secret}{'.' * 485}'\nexit 7\n")
    broken.chmod(0o755)
    world.opencode = broken

    with pytest.raises(HarnessFailed) as failed:
        asyncio.run(world.make(redact=Redactor({}, others=[secret])).start())

    assert str(failed.value).endswith(f": [redacted]{'.' * 485}")


def test_no_command_is_in_any_log_that_it_leaves_on_the_disk(world: World):
    log = world.home / ".local/share/opencode/log/opencode.log"
    log.parent.mkdir(parents=True)
    log.write_text("of an older start: canary-5d2f81\n")

    async def story() -> Outcome:
        async with world.harness() as harness:
            return await world.turn(harness, script({"tools": [bash("echo canary-5d2f81")]}))

    assert asyncio.run(story()) == Outcome("completed")
    assert "canary-5d2f81" in _output(world)
    logs = [path for path in world.home.rglob("*") if path.is_file() and "log" in path.parts]
    assert [path for path in logs if b"canary" in path.read_bytes()] == []
    assert log.is_symlink()


def test_without_any_model_it_does_not_start(world: World):
    harness = world.make({"PATH": "only"})

    with pytest.raises(HarnessFailed, match="no key of a provider is set"):
        asyncio.run(harness.start())


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
