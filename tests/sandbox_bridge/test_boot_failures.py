"""What becomes of a boot whose parts fail, and of one that is cut off, in each phase and path."""

import os
from pathlib import Path

import pytest

from tests.fakes.bridge_server import BridgeServer
from tests.sandbox_bridge.boots import HELD, HOOKS, by_hand, told, warnings
from tests.sandbox_bridge.eventually import eventually
from tests.sandbox_bridge.repositories import Remote, spec
from tests.sandbox_bridge.sandbox import Sandbox, bridge_of, identity, is_running, live
from tests.sandbox_bridge.slow_remote import SlowRemote


@pytest.fixture
def remote(tmp_path: Path) -> Remote:
    return Remote(tmp_path / "remote", {"a.txt": "one\n", **HOOKS})


@pytest.mark.parametrize("boot", ["fresh", "resume", "image"])
def test_a_start_script_that_fails_ends_the_boot_with_its_last_lines(
    root: Path, remote: Remote, boot: str
):
    loud = f"for n in {{1..500}}; do echo $n $MY_TOKEN {'x' * 200}; done\nexit 3\n"
    remote.commit({".openinspect/start.sh": loud})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        by_hand(sandbox, remote)
        more = {"boot": boot, "environment": {"MY_TOKEN": "abcdefghijk"}}
        await sandbox.bridge(identity(server.url, spec(remote.url), **more))

        fatal = await server.until_event("fatal")

        assert fatal["kind"] == "script"
        assert fatal["error"] == ".openinspect/start.sh ended with status 3"
        (failed,) = server.of_type("boot_progress", status="failed")
        assert (failed["phase"], failed["repository"]) == ("start", "tool")
        last = failed["outputTail"].splitlines()
        assert last[-1] == f"500 [redacted] {'x' * 200}"
        assert len(last) <= 60
        assert len(failed["outputTail"].encode()) <= 8 * 1024
        assert told(server)[-1] == "fatal"

    live(root, story)


def test_a_failure_after_the_agent_was_ready_is_fatal_and_ends_its_turn(root: Path, remote: Remote):
    remote.commit({".openinspect/start.sh": HELD + "exit 4\n"})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        by_hand(sandbox, remote)
        bridge = await sandbox.bridge(identity(server.url, spec(remote.url), boot="image"))
        await server.submit("write b.txt two")
        await server.until_event("prompt_started")

        (sandbox.paths.home / "go").touch()

        fatal = await server.until_event("fatal")
        assert fatal["kind"] == "script"
        assert told(server)[-2:] == ["start failed", "fatal"]
        await server.retire()
        assert await bridge.wait() == 0
        assert not (sandbox.paths.workspace / "tool/b.txt").exists()

    live(root, story)


@pytest.mark.parametrize("boot", ["fresh", "resume", "image"])
def test_an_agent_that_does_not_start_is_to_blame(root: Path, remote: Remote, boot: str):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        by_hand(sandbox, remote)
        more = {"boot": boot, "environment": {"AGENT_FAILS": "no model can be reached"}}
        await sandbox.bridge(identity(server.url, spec(remote.url), **more))

        fatal = await server.until_event("fatal")

        assert (fatal["kind"], fatal["error"]) == ("agent", "no model can be reached")

    live(root, story)


def test_a_repository_that_cannot_be_had_is_to_blame(root: Path, tmp_path: Path):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(f"file://{tmp_path}/nowhere.git")))

        assert (await server.until_event("fatal"))["kind"] == "repository"

    live(root, story)


def test_a_setup_script_that_names_no_program_is_a_warning(root: Path, remote: Remote):
    remote.commit({".openinspect/setup.sh": "#!/nowhere/python\n"})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.bridge(identity(server.url, spec(remote.url)))

        await server.until_event("ready")

        assert warnings(server, "setup") == [".openinspect/setup.sh ended with status 126"]

    live(root, story)


def test_a_service_that_keeps_the_output_open_holds_up_no_boot(root: Path, remote: Remote):
    remote.commit({".openinspect/start.sh": "(echo $BASHPID > $HOME/service; sleep 600) &\n"})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        await sandbox.supervisor(identity(server.url, spec(remote.url)))

        await server.until_event("ready")

        await eventually(lambda: (sandbox.paths.home / "service").read_text().strip())
        assert is_running(int((sandbox.paths.home / "service").read_text()))

    live(root, story)


@pytest.mark.parametrize(
    ("boot", "phase"),
    [
        *(("fresh", phase) for phase in ("sync", "setup", "start", "harness")),
        *(("resume", phase) for phase in ("sync", "start", "harness")),
        *(("image", phase) for phase in ("sync", "start", "harness")),
    ],
)
def test_a_bridge_killed_in_any_phase_boots_again_and_works(
    root: Path, remote: Remote, boot: str, phase: str
):
    scripts = {f".openinspect/{each}.sh": HELD for each in ("setup", "start") if each == phase}
    remote.commit({**HOOKS, **scripts, "new.txt": "new"})

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        go, slow = sandbox.paths.home / "go", SlowRemote(sandbox.root.parent / "slow")
        if boot != "fresh":
            by_hand(sandbox, remote)
        environment = {"AGENT_STARTS_AFTER": str(go)} if phase == "harness" else {}
        environment |= slow.environment if phase == "sync" else {}
        more = {"boot": boot, "environment": environment}
        await sandbox.supervisor(identity(server.url, spec(remote.url), **more))
        await server.until_event("boot_progress", phase=phase, status="started")

        os.kill(bridge_of(sandbox), 9)

        slow.answer()
        go.touch()
        await server.until(lambda: server.boots)
        end = await server.until_finished(await server.submit("write b.txt two"))
        assert (end["status"], end["commit"]) == ("completed", remote.tip())

    live(root, story)


def test_a_boot_that_is_ended_takes_its_script_along_with_all_its_group(root: Path, remote: Remote):
    remote.commit(
        {".openinspect/setup.sh": "echo $$ > $HOME/a; sleep 600 & echo $! > $HOME/b\nwait\n"}
    )

    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        bridge = await sandbox.bridge(identity(server.url, spec(remote.url)))
        files = [sandbox.paths.home / name for name in "ab"]
        await eventually(lambda: all(file.exists() and file.read_text() for file in files))

        await server.retire()

        assert await bridge.wait() == 0
        pids = [int(file.read_text()) for file in files]
        await eventually(lambda: not any(is_running(pid) for pid in pids))

    live(root, story)
