"""A whole bridge with OpenCode on a sandbox that comes back: it reads at once, and writes later."""

from pathlib import Path

import pytest

from tests.fakes.bridge_server import BridgeServer
from tests.model import Model, script
from tests.sandbox_bridge.harness.world import bash
from tests.sandbox_bridge.repositories import Remote, git, spec
from tests.sandbox_bridge.sandbox import OPENCODE, Sandbox, identity, live
from tests.sandbox_bridge.slow_remote import SlowRemote

pytestmark = pytest.mark.sandbox


@pytest.mark.parametrize("boot", ["resume", "image"])
def test_a_read_is_answered_while_a_write_waits_for_the_boot(
    root: Path, remote: Remote, opencode: Path, model: Model, boot: str
):
    async def story(server: BridgeServer, sandbox: Sandbox) -> None:
        place = sandbox.paths.workspace / "tool"
        _furnish(sandbox, opencode, remote)
        slow = SlowRemote(root.parent / "slow")
        environment = {**slow.environment, "OUTBOARD_DEMO_MODEL_URL": model.url}
        who = identity(server.url, spec(remote.url), boot=boot, environment=environment)
        await sandbox.bridge(who, OPENCODE)
        read = {"name": "read", "args": {"filePath": str(place / "a.txt")}}
        tools = [bash("echo written > b.txt"), read]
        prompt = await server.submit(script({"tools": tools}, {"text": "Done."}))

        await server.until_event("tool", within=90, tool="read", status="completed")

        assert not (place / "b.txt").exists()
        assert server.of_type("ready", complete=False)
        assert server.of_type("boot_completed") == []
        slow.answer()
        end = await server.until_finished(prompt, within=60)
        assert (end["status"], end["commit"]) == ("completed", remote.tip())
        assert server.boots == 1

    live(root, story)


def _furnish(sandbox: Sandbox, opencode: Path, remote: Remote) -> None:
    sandbox.paths.workspace.mkdir(parents=True)
    git(sandbox.paths.workspace, "clone", "--quiet", remote.url, "tool")
    programs = sandbox.paths.template / "bin"
    programs.mkdir(parents=True)
    (programs / "opencode").symlink_to(opencode)
