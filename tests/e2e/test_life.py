"""The life of a sandbox with its clocks shortened: too long a boot, silence, an idle hour."""

import os
import signal
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.machine import Machine, descendants, git, repository, until
from tests.e2e.test_main_job import events, follow_up, opened, run

CLOCKS = {
    "SANDBOX_BOOT_TIMEOUT_MS": "25000",
    "HEARTBEAT_TIMEOUT_MS": "6000",
    "BRIDGE_HEARTBEAT_MS": "1000",
    "SANDBOX_INACTIVITY_TIMEOUT_MS": "4000",
}


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Generator[Machine]:
    """With the demo model, which follows a script too."""
    with Machine(tmp_path_factory.mktemp("life"), CLOCKS) as running:
        yield running


def statuses(machine: Machine, session: str) -> list[Any]:
    told = events(machine, session)
    return [event["status"] for event in told if event["type"] == "sandbox_status"]


def sandbox(machine: Machine, session: str) -> str:
    return machine.show(session)["sandbox"]["status"]


def test_an_idle_sandbox_is_paused_and_resumed_with_its_uncommitted_files(
    machine: Machine, tmp_path: Path
):
    path = repository(tmp_path / "tool", a__txt="a\n")
    session = opened(machine, path, run("echo kept > kept.txt; git stash list"), "--wait")[
        "session"
    ]
    stop_midway(machine, session, "echo half > half.txt; sleep 600")

    until(lambda: sandbox(machine, session) == "stopped", 60, every=0.5)
    result = follow_up(machine, session, run("cat half.txt kept.txt"), "--wait")

    assert result["status"] == "completed"
    assert git(path, "show", f"{result['branch']}:half.txt") == "half\n"
    assert statuses(machine, session)[-4:] == ["stopped", "spawning", "connecting", "ready"]
    resumed = [e for e in events(machine, session) if e["type"] == "sandbox_spawning"]
    assert [e["resumed"] for e in resumed] == [False, True]


def stop_midway(machine: Machine, session: str, command: str) -> None:
    number = follow_up(machine, session, run(command))["prompt"]
    until(lambda: _runs_a_tool(machine, session, number), 60, every=0.5)
    machine.json("stop", session)
    until(lambda: machine.show(session)["running"] is None, 30, every=0.5)


def _runs_a_tool(machine: Machine, session: str, prompt: int) -> bool:
    told = (e for e in events(machine, session) if e["type"] == "tool")
    return any(e["prompt"] == prompt and e["status"] == "running" for e in told)


def test_a_boot_over_its_budget_fails_the_prompt_naming_the_phase(machine: Machine, tmp_path: Path):
    path = repository(tmp_path / "tool", a__txt="a\n")
    (path / ".openinspect").mkdir()
    (path / ".openinspect" / "start.sh").write_text("sleep 600\n")
    git(path, "add", "--all")
    git(path, "commit", "--quiet", "--message", "slow")

    done = machine.outboard("prompt", "--repo", str(path), "hi", "--wait", "--json")

    assert done.returncode == 1
    assert "while" in done.stdout or "phase start" in done.stdout
    assert "SANDBOX_BOOT_TIMEOUT_MS" in done.stdout


def test_a_silent_sandbox_is_stale_its_prompt_fails_once_and_the_next_resumes(
    machine: Machine, tmp_path: Path
):
    path = repository(tmp_path / "tool", a__txt="a\n")
    started = opened(machine, path, run("echo safe > safe.txt; sleep 600"))
    session = started["session"]
    until(lambda: _runs_a_tool(machine, session, 1), 90, every=0.5)

    for pid in _bridges(machine):
        os.kill(pid, signal.SIGSTOP)
    until(lambda: machine.show(session)["running"] is None, 60, every=0.5)
    result = follow_up(machine, session, run("cat safe.txt"), "--wait")

    ends = [e for e in events(machine, session) if e["type"] == "prompt_finished"]
    assert [(e["prompt"], e["status"]) for e in ends] == [(1, "failed"), (2, "completed")]
    assert "silent" in ends[0]["error"]
    assert "stale" in statuses(machine, session)
    assert git(path, "show", f"{result['branch']}:safe.txt") == "safe\n"


def _bridges(machine: Machine) -> list[int]:
    """Everything that runs inside this machine's sandboxes as our bridge or its supervisor."""
    assert machine.process is not None
    found: list[int] = []
    for pid in descendants(machine.process.pid):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if b"sandbox_bridge" in command:
            found.append(pid)
    assert found
    return found
