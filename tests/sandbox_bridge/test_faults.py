"""What holds when messages are lost, sockets are cut, and the bridge is killed at any moment."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from sandbox_bridge.turns.marker import Marker
from shared.protocol.bridge import FrameMessage, Refused
from tests.fakes.bridge_server import BridgeServer, Faults
from tests.sandbox_bridge.eventually import eventually
from tests.sandbox_bridge.repositories import Remote, spec
from tests.sandbox_bridge.sandbox import (
    Sandbox,
    bridge_of,
    gone,
    identity,
    is_running,
    killed,
    live,
)

FROZEN = 3.0

RESTARTED = "the agent's bridge restarted during this turn; the files are kept"


def words_of(server: BridgeServer, prompt: int) -> str:
    return "".join(event["delta"] for event in server.of_type("text_delta", prompt=prompt))


@pytest.mark.parametrize("seed", [1, 2])
def test_every_word_arrives_once_and_in_order_over_a_bad_line(
    root: Path, remote: Remote, seed: int
):
    words = " ".join(str(number) for number in range(2_000))
    bad = Faults(lost=0.05, repeated=0.3, delayed=0.3, cut_before=0.08, cut_after=0.08, seed=seed)

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))
        prompt = await server.submit(f"say {words}\nflood 60\nwrite b.txt two\nsay {words}")

        end = await server.until_finished(prompt, within=120)

        assert end["status"] == "completed"
        assert words_of(server, prompt) == f"{words} " * 2
        calls = [event["call"] for event in server.of_type("tool")]
        assert calls == [f"1.1.{number}" for number in range(60)]

    live(root, story, BridgeServer(faults=bad))


def test_a_server_that_goes_and_comes_back_is_found_again(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))
        prompt = await server.submit("run while [ ! -e ../go ]; do sleep 0.05; done\nsay done")
        await server.until_event("tool", status="running")

        await server.stop()
        (sandbox.paths.workspace / "go").touch()
        await server.start()

        assert (await server.until_finished(prompt))["status"] == "completed"

    live(root, story)


def test_a_frame_in_flight_outlives_the_bridge_unchanged(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        who = identity(server.url, spec(remote.url))
        server.hold_acks = True
        first = await sandbox.bridge(who)
        await server.until(lambda: server.stored)
        await killed(first)
        (left,) = (sandbox.paths.runtime / "outbox").iterdir()
        assert left.name == "s1.1"
        assert list(server.stored.values()) == [left.read_text()]

        server.hold_acks = False
        await sandbox.bridge(who)

        # That it comes again to the letter and is stored once is what the server checks.
        await server.until_event("ready")

    live(root, story)


def test_a_turn_that_was_cut_off_failed_and_its_processes_are_gone(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.supervisor(identity(server.url, spec(remote.url)))
        hide = "(setsid sh -c 'echo $$ > ../hidden; exec sleep 600' &) ; sleep 600"
        prompt = await server.submit(f"write b.txt two\nrun {hide}")
        hidden = sandbox.paths.workspace / "hidden"
        await eventually(lambda: hidden.exists() and hidden.read_text().strip())

        os.kill(bridge_of(sandbox), 9)

        end = await server.until_finished(prompt)
        assert (end["status"], end["error"]) == ("failed", RESTARTED)
        assert not is_running(int(hidden.read_text()))
        again = await server.until_finished(await server.submit("write c.txt three"))
        assert again["status"] == "completed"
        assert {"b.txt", "c.txt"} <= remote.files()

    live(root, story)


def test_a_turn_that_ended_is_answered_from_its_record_and_not_run_again(
    root: Path, remote: Remote
):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        who = identity(server.url, spec(remote.url))
        first = await sandbox.bridge(who)
        await server.until_event("ready")
        server.hold_acks = True
        prompt = await server.submit("write b.txt two\nrun echo once >> ../times")
        await eventually(lambda: _is_done(sandbox, prompt))
        await killed(first)
        assert server.of_type("execution_complete") == []

        server.hold_acks = False
        await sandbox.bridge(who)

        end = await server.until_finished(prompt)
        assert (end["status"], end["commit"]) == ("completed", remote.tip())
        assert len(server.of_type("pushed")) == 1
        assert (sandbox.paths.workspace / "times").read_text() == "once\n"

    live(root, story)


def _is_done(sandbox: Sandbox, prompt: int) -> bool:
    record = sandbox.paths.runtime / f"turns/s1.1/{prompt}.json"
    return record.exists() and "execution_complete" in record.read_text()


@pytest.mark.parametrize("moment", range(3))
def test_a_bridge_killed_at_any_moment_answers_once(root: Path, remote: Remote, moment: int):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.supervisor(identity(server.url, spec(remote.url)))
        await server.until_event("ready")
        prompt = await server.submit("say one two three\nwrite b.txt two\nsay four")
        await asyncio.sleep(moment * 0.1)  # where in the turn this is does not matter

        os.kill(bridge_of(sandbox), 9)

        end = await server.until_finished(prompt)
        assert end["status"] in {"completed", "failed"}
        last = await server.until_finished(await server.submit("write c.txt three"))
        assert last["status"] == "completed"
        assert len(server.of_type("execution_complete")) == 2

    live(root, story)


def test_a_turn_that_cannot_leave_its_mark_is_answered_and_says_so(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))
        await server.until_event("ready")
        sandbox.paths.marker.mkdir(parents=True)  # where the file would be

        end = await server.until_finished(await server.submit("write b.txt two"))

        assert (end["status"], end["marked"]) == ("completed", False)

    live(root, story)


@pytest.mark.parametrize("text", ["write b.txt two", "fail no credit"])
def test_the_marker_is_on_the_disk_before_the_end_is_said(root: Path, remote: Remote, text: str):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        who = identity(server.url, spec(remote.url))
        first = await sandbox.bridge(who)
        await server.until_event("ready")
        server.refuse = _nothing_about_ends
        prompt = await server.submit(text)
        await eventually(lambda: _is_done(sandbox, prompt))
        await killed(first)
        server.marker = prompt  # from here on no hello may say less

        await sandbox.bridge(identity(server.url, spec(remote.url), attempt=2, resumed=True))

        await server.until(lambda: len(server.of_type("ready")) == 2)
        assert server.of_type("execution_complete") == []

    live(root, story)


def _nothing_about_ends(frame: FrameMessage) -> Refused | None:
    if all(event["type"] != "execution_complete" for event in frame.events):
        return None
    return Refused(id=frame.id, code="contended", message="busy", final=False)


def test_a_turn_that_was_cut_off_moves_the_marker_when_it_is_answered(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.supervisor(identity(server.url, spec(remote.url)))
        prompt = await server.submit("wait")
        await server.until_event("prompt_started", prompt=prompt)

        os.kill(bridge_of(sandbox), 9)

        await server.until_finished(prompt)
        assert Marker(sandbox.paths.marker, "s1").prompt == prompt

    live(root, story)


def test_an_end_that_was_refused_for_good_is_said_again_when_asked(root: Path, remote: Remote):
    refused: list[str] = []

    def once(frame: FrameMessage) -> Refused | None:
        if refused or all(event["type"] != "execution_complete" for event in frame.events):
            return None
        refused.append(frame.id)
        return Refused(id=frame.id, code="invalid", message="no")

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))

        end = await server.until_finished(await server.submit("write b.txt two"))

        assert refused
        assert end["commit"] == remote.tip()
        assert "refused" in server.of_type("warning")[0]["message"]

    live(root, story, BridgeServer(refuse=once))


def test_a_frame_that_is_refused_for_now_comes_again(root: Path, remote: Remote):
    tries: list[str] = []

    def at_first(frame: FrameMessage) -> Refused | None:
        tries.append(frame.id)
        if len(tries) > 2:
            return None
        return Refused(id=frame.id, code="contended", message="busy", final=False)

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))

        await server.until_event("ready")

        assert tries[0] == tries[1] == tries[2]

    live(root, story, BridgeServer(refuse=at_first))


@pytest.mark.parametrize("jump", [-10_000_000, 10_000_000])
def test_a_wall_clock_that_jumps_is_nothing_to_it(root: Path, remote: Remote, jump: int):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))
        prompt = await server.submit(f"clock {jump}\nsay on we go\nwrite b.txt two")

        assert (await server.until_finished(prompt))["status"] == "completed"

        beats, hellos = server.heartbeats, server.hellos
        await server.until(lambda: server.heartbeats > beats + 1)
        assert server.hellos == hellos
        await server.cut()
        again = await server.until_finished(await server.submit("write c.txt three"))
        assert (again["status"], server.hellos) == ("completed", hellos + 1)

    live(root, story)


@pytest.mark.parametrize("meanwhile", ["nothing", "cut", "restart", "stop"])
def test_a_bridge_that_was_frozen_picks_up_where_it_was(root: Path, remote: Remote, meanwhile: str):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        bridge = await sandbox.bridge(identity(server.url, spec(remote.url)))
        prompt = await server.submit(
            "say one\nrun while [ ! -e ../go ]; do sleep 0.05; done\nsay two"
        )
        await server.until_event("tool", status="running")

        bridge.send_signal(signal.SIGSTOP)
        await _happens(server, meanwhile)
        await asyncio.sleep(FROZEN)  # several heartbeats are missed, and then due at once
        if meanwhile != "stop":
            (sandbox.paths.workspace / "go").touch()
        bridge.send_signal(signal.SIGCONT)

        end = await server.until_finished(prompt)
        assert end["status"] == ("stopped" if meanwhile == "stop" else "completed")
        again = await server.until_finished(await server.submit("write c.txt three"))
        assert again["status"] == "completed"
        beats = server.heartbeats
        await server.until(lambda: server.heartbeats > beats)

    live(root, story)


async def _happens(server: BridgeServer, what: str) -> None:
    match what:
        case "cut":
            await server.cut()
        case "restart":
            await server.cut()  # the bridge answers no goodbye
            await server.stop()
            await server.start()
        case "stop":
            await server.stop_prompt()
        case _:
            pass


def test_an_old_outbox_that_a_snapshot_brought_back_is_deleted_unread(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        outbox = sandbox.paths.runtime / "outbox"
        outbox.mkdir(parents=True)
        (outbox / "s1.1").write_bytes(b"\xff\xfe neither text nor a frame")

        await sandbox.bridge(identity(server.url, spec(remote.url), attempt=2))

        await server.until_event("ready")
        assert not (outbox / "s1.1").exists()

    live(root, story)


def test_a_retired_attempt_ends_with_everything_it_had_started(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        supervisor = await sandbox.supervisor(identity(server.url, spec(remote.url)))
        await server.submit("run setsid sleep 600 & sleep 600")
        await server.until_event("tool", status="running")

        await server.retire()

        assert await supervisor.wait() == 0
        await gone(sandbox)

    live(root, story)
