"""The supervisor as a process: one per sandbox, and nothing is left when it ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from sandbox_bridge.exits import UNUSABLE
from tests.fakes.bridge_server import TOKEN, BridgeServer
from tests.sandbox_bridge.eventually import eventually
from tests.sandbox_bridge.repositories import Remote, spec
from tests.sandbox_bridge.sandbox import (
    Sandbox,
    bridge_of,
    gone,
    identity,
    is_running,
    live,
    shown_by,
)

SERVICE = "setsid sh -c 'echo $$ > ../../service; exec sleep 600' > /dev/null 2>&1 &\n"


def test_the_launch_file_is_gone_and_its_token_shows_nowhere(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.supervisor(identity(server.url, spec(remote.url)))
        await server.submit("run sleep 600")
        await server.until_event("tool", status="running")

        assert not sandbox.paths.identity.exists()
        for pid in sandbox.everything():
            assert TOKEN.encode() not in shown_by(pid)
        kept = [path for path in sandbox.root.rglob("*") if path.is_file()]
        assert [path for path in kept if TOKEN.encode() in path.read_bytes()] == []

    live(root, story)


def test_a_second_supervisor_without_a_launch_file_leaves_quietly(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        first = await sandbox.supervisor(identity(server.url, spec(remote.url)))
        await server.until_event("ready")

        second = await sandbox.supervisor()

        assert await second.communicate() == (b"", b"")
        assert (second.returncode, first.returncode) == (0, None)
        await server.until_finished(await server.submit("say still here"))

    live(root, story)


def test_a_new_launch_file_takes_the_sandbox_over(root: Path, remote: Remote):
    remote.commit({".openinspect/start.sh": SERVICE})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        first = await sandbox.supervisor(identity(server.url, spec(remote.url)))
        await server.until_event("ready")
        service = sandbox.root / "service"
        await eventually(lambda: service.exists() and service.read_text().strip())
        old = int(service.read_text())

        await sandbox.supervisor(identity(server.url, spec(remote.url), attempt=2, resumed=True))

        assert await first.wait() == 0
        await server.until(lambda: len(server.of_type("ready")) == 2)
        assert not is_running(old)

    live(root, story)


def test_an_older_launch_file_takes_nothing_over(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        first = await sandbox.supervisor(identity(server.url, spec(remote.url), attempt=2))
        await server.until_event("ready")

        late = await sandbox.supervisor(identity(server.url, spec(remote.url), attempt=1))

        assert await late.wait() == 0
        assert first.returncode is None

    live(root, story)


def test_a_terminated_supervisor_takes_everything_with_it(root: Path, remote: Remote):
    remote.commit({".openinspect/start.sh": SERVICE})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        supervisor = await sandbox.supervisor(identity(server.url, spec(remote.url)))
        await server.submit("run env -i setsid sleep 600 & sleep 600")
        await server.until_event("tool", status="running")
        everything = sandbox.everything()
        assert len(everything) >= 5

        supervisor.send_signal(signal.SIGTERM)

        assert await supervisor.wait() == 0
        assert not any(map(is_running, everything))

    live(root, story)


def test_what_a_killed_supervisor_left_is_swept_away_by_the_next(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        first = await sandbox.supervisor(identity(server.url, spec(remote.url)))
        await server.submit("run sleep 600")
        await server.until_event("tool", status="running")
        left = sandbox.everything() - {first.pid}

        first.kill()
        await first.wait()
        await sandbox.supervisor(identity(server.url, spec(remote.url), attempt=2, resumed=True))

        await server.until(lambda: len(server.of_type("ready")) == 2)
        assert not any(map(is_running, left))

    live(root, story)


def test_a_bridge_that_dies_is_started_again_with_the_same_identity(root: Path, remote: Remote):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.supervisor(identity(server.url, spec(remote.url)))
        await server.until_event("ready")
        hellos = server.hellos

        os.kill(bridge_of(sandbox), signal.SIGKILL)

        await server.until(lambda: server.hellos > hellos)
        await server.until_finished(await server.submit("say back again"))

    live(root, story)


def test_a_launch_file_that_is_no_identity_is_refused_without_showing_it(root: Path):
    async def story(_: BridgeServer, sandbox: Sandbox) -> None:
        sandbox.paths.identity.parent.mkdir(parents=True)
        sandbox.paths.identity.write_text('{"token": "a-secret-token", "attempt": "x"}')

        supervisor = await sandbox.supervisor()

        output, errors = await supervisor.communicate()
        assert supervisor.returncode == UNUSABLE
        log = (sandbox.paths.state / "log/supervisor.log").read_text()
        assert "a-secret-token" not in output.decode() + errors.decode() + log
        await gone(sandbox)

    live(root, story)


SECRET = "correct-horse-battery-staple"
DIES_ONCE = f"""
import pathlib, sys
sys.stderr.write("{SECRET[:9]}")
sys.stderr.flush()
sys.stderr.write("{SECRET[9:]} and then\\n")
life = pathlib.Path("life")
raise SystemExit(0 if life.exists() else life.touch() or 3)
"""
FAILS_ITSELF = f"""
import sys
from sandbox_bridge.supervisor.main import main
raise RuntimeError("{SECRET} after", main((sys.executable, "-c", {DIES_ONCE!r})))
"""


def test_no_secret_is_in_what_a_sandbox_keeps_or_says_whose_bridge_and_supervisor_die(root: Path):
    sandbox = Sandbox(root)
    who = identity("ws://127.0.0.1:1", environment={"API_TOKEN": SECRET})
    sandbox.write_launch_file(who)

    ended = subprocess.run(
        [sys.executable, "-c", FAILS_ITSELF],
        cwd=root,
        env=sandbox.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert ended.stderr.endswith("RuntimeError: ('[redacted] after', 0)\n")
    kept = {path.name: path.read_text() for path in root.rglob("*") if path.is_file()}
    assert "[redacted] and then" in kept["supervisor.log"]
    assert SECRET not in ended.stdout + ended.stderr
    assert [text for text in kept.values() if SECRET[:9] in text or SECRET[9:] in text] == []
