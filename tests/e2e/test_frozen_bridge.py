"""Today's server and a sandbox that fell asleep before the protocol's number was raised."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.e2e.machine import Machine, git, repository, until
from tests.e2e.talk import run
from tests.e2e.test_main_job import events, follow_up, opened

QUICK = {"BRIDGE_HEARTBEAT_MS": "1000", "SANDBOX_INACTIVITY_TIMEOUT_MS": "3000"}

WHICH = (
    'template=$(dirname "$(dirname "$(readlink -f "$(command -v supervisor)")")")\n'
    "grep -h ^PROTOCOL $template/python/lib/python3*/site-packages/shared/protocol/bridge.py"
)


@pytest.fixture
def machine(tmp_path: Path) -> Generator[Machine]:
    """With the demo model, which follows a script too."""
    with Machine(tmp_path / "machine", QUICK, program="tests.e2e.frozen") as running:
        yield running


def test_a_sandbox_of_protocol_1_is_paused_and_wakes_and_loses_nothing(
    machine: Machine, tmp_path: Path
):
    path = repository(tmp_path / "tool", __gitignore="ignored.txt\n")
    first = opened(machine, path, run(f"echo here > ignored.txt\n({WHICH}) > which.txt"), "--wait")
    session, branch = first["session"], first["branch"]

    until(lambda: machine.show(session)["sandbox"]["status"] == "stopped", 40, every=0.25)
    second = follow_up(machine, session, run("cat ignored.txt > found.txt"), "--wait")

    told = events(machine, session)
    ends = [event for event in told if event["type"] == "prompt_finished"]
    spawned = [event for event in told if event["type"] == "sandbox_spawning"]
    assert (first["status"], second["status"]) == ("completed", "completed")
    assert git(path, "show", f"{branch}:which.txt") == "PROTOCOL = 1\n"
    assert git(path, "show", f"{branch}:found.txt") == "here\n"
    assert [(end["prompt"], end["status"]) for end in ends] == [(1, "completed"), (2, "completed")]
    assert [event["resumed"] for event in spawned] == [False, True]
    assert not {"failed", "stale"} & {event.get("status") for event in told}
    assert [event for event in told if event["type"] in {"fatal", "warning"}] == []
