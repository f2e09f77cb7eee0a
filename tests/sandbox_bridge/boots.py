"""Boots as a server sees them, and what they boot from."""

from pathlib import Path

from tests.fakes.bridge_server import BridgeServer
from tests.sandbox_bridge.repositories import Remote, git
from tests.sandbox_bridge.sandbox import Sandbox

HOOKS = {
    ".openinspect/setup.sh": "echo setup $OPENINSPECT_BOOT_MODE >> $HOME/ran\n",
    ".openinspect/start.sh": "echo start $OPENINSPECT_BOOT_MODE >> $HOME/ran\n",
}
HELD = "while [ ! -e $HOME/go ]; do sleep 0.05; done\n"


def ran(sandbox: Sandbox) -> list[str]:
    return (sandbox.paths.home / "ran").read_text().splitlines()


def told(server: BridgeServer) -> list[str]:
    """What the server heard of boots, in order."""
    return [
        f"{event['phase']} {event['status']}" if event["type"] == "boot_progress" else event["type"]
        for event in server.events
        if event["type"] in {"boot_progress", "ready", "boot_completed", "fatal"}
    ]


def warnings(server: BridgeServer, phase: str) -> list[str]:
    ended = server.of_type("boot_progress", phase=phase, status="completed")
    return [event["warning"] for event in ended if event["warning"]]


def by_hand(sandbox: Sandbox, remote: Remote, name: str = "tool") -> Path:
    """A prebuilt image: a clone of the repository as it is now."""
    sandbox.paths.workspace.mkdir(parents=True, exist_ok=True)
    git(sandbox.paths.workspace, "clone", "--quiet", remote.url, name)
    return sandbox.paths.workspace / name
