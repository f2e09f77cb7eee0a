"""The main job: a prompt goes in, a branch with exactly that work comes out."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import CLAUDE, MODEL
from tests.e2e.machine import Machine, git, repository, until
from tests.e2e.talk import run
from tests.model import script

GREETING = "def greet():\n    return 'hello'\n"
WORK = script(
    {"text": "Looking.", "tools": [{"name": "read", "args": {"filePath": "greeting.py"}}]},
    {
        "tools": [
            {
                "name": "edit",
                "args": {"filePath": "greeting.py", "oldString": "hello", "newString": "good day"},
            }
        ]
    },
    {"tools": [{"name": "write", "args": {"filePath": "NOTES.md", "content": "polite\n"}}]},
    {"tools": [{"name": "bash", "args": {"command": "cat NOTES.md", "description": "."}}]},
    {"text": "It greets politely now."},
)


def opened(machine: Machine, path: Path, prompt: str, *options: str) -> dict[str, Any]:
    return machine.json("prompt", "--repo", str(path), prompt, *options)[-1]


def follow_up(machine: Machine, session: str, prompt: str, *options: str) -> dict[str, Any]:
    return machine.json("prompt", "--session", session, prompt, *options)[-1]


def events(machine: Machine, session: str) -> list[dict[str, Any]]:
    entries = machine.json("events", session, "--after", "0")
    return [event for entry in entries for event in entry["events"]]


def tools(machine: Machine, session: str) -> list[str]:
    done = [e for e in events(machine, session) if e["type"] == "tool"]
    return [e["tool"] for e in done if e["status"] == "completed"]


@pytest.mark.parametrize("model_id", [MODEL, CLAUDE])
def test_the_pushed_branch_holds_exactly_the_work(machine: Machine, tmp_path: Path, model_id: str):
    path = repository(tmp_path / "tool", greeting__py=GREETING)

    result = opened(machine, path, WORK, "--wait", "--model", model_id)

    session = result["session"]
    branch = f"outboard/{session}"
    assert (result["status"], result["branch"]) == ("completed", branch)
    assert git(path, "rev-parse", branch).strip() == result["commit"]
    assert git(path, "diff", "--stat", f"main..{branch}").splitlines()[:-1] == [
        " NOTES.md    | 1 +",
        " greeting.py | 2 +-",
    ]
    assert git(path, "show", f"{branch}:greeting.py") == GREETING.replace("hello", "good day")
    assert git(path, "show", f"{branch}:NOTES.md") == "polite\n"
    assert tools(machine, session) == ["read", "edit", "write", "bash"]


def test_the_commit_is_the_authors_and_the_work_tree_is_untouched(machine: Machine, tmp_path: Path):
    path = repository(tmp_path / "tool", greeting__py=GREETING)
    before = git(path, "status", "--porcelain=v2", "--branch")

    result = opened(machine, path, run("echo x > new.txt"), "--wait")

    who = git(path, "log", "-1", "--format=%an <%ae> %cn", result["branch"]).strip()
    assert who == "Ada Example <ada@example.com> Outboard"
    assert git(path, "status", "--porcelain=v2", "--branch") == before


def test_the_agents_own_commits_stay_and_leftovers_follow(machine: Machine, tmp_path: Path):
    path = repository(tmp_path / "tool", greeting__py=GREETING)
    command = "echo a > a.txt && git add a.txt && git commit -qm 'by hand' && echo b > b.txt"

    result = opened(machine, path, run(command), "--wait")

    subjects = git(path, "log", "--format=%s", f"main..{result['branch']}").splitlines()
    assert subjects[1:] == ["by hand"]
    assert git(path, "show", f"{result['branch']}:b.txt") == "b\n"


def test_what_is_ignored_or_generated_is_not_committed(machine: Machine, tmp_path: Path):
    path = repository(tmp_path / "tool", greeting__py=GREETING, __gitignore="*.log\n")
    command = (
        "mkdir -p node_modules/x __pycache__ && touch node_modules/x/i.js "
        "__pycache__/g.pyc run.log && echo kept > kept.txt"
    )

    result = opened(machine, path, run(command), "--wait")

    changed = git(path, "diff", "--name-only", f"main..{result['branch']}").split()
    assert changed == ["kept.txt"]


def test_nothing_changed_is_a_success_without_a_branch(machine: Machine, tmp_path: Path):
    path = repository(tmp_path / "tool", greeting__py=GREETING)

    result = opened(machine, path, run("ls"), "--wait")

    assert (result["status"], result["branch"], result["commit"]) == ("completed", None, None)
    assert git(path, "branch", "--list", "outboard/*") == ""


def test_a_follow_up_is_done_second_in_the_same_sandbox(machine: Machine, tmp_path: Path):
    path = repository(tmp_path / "tool", greeting__py=GREETING)
    first = opened(machine, path, run("echo 1 >> order.txt; sleep 3; touch /tmp/here"))
    session = first["session"]

    second = follow_up(machine, session, run("echo 2 >> order.txt; ls /tmp/here"), "--wait")

    assert second["status"] == "completed"
    assert git(path, "show", f"{second['branch']}:order.txt") == "1\n2\n"
    assert [e["attempt"] for e in events(machine, session) if e["type"] == "sandbox_spawning"] == [
        1
    ]
    assert [e["prompt"] for e in events(machine, session) if e["type"] == "prompt_finished"] == [
        1,
        2,
    ]


def test_stop_ends_a_running_command_and_the_next_prompt_works(machine: Machine, tmp_path: Path):
    path = repository(tmp_path / "tool", greeting__py=GREETING)
    stubborn = run("echo half > half.txt; trap '' TERM; sleep 600")
    session = opened(machine, path, stubborn)["session"]
    until(lambda: _runs_bash(machine, session), 90, every=0.5)

    machine.json("stop", session)
    until(lambda: machine.show(session)["running"] is None, 20, every=0.5)

    shown = machine.show(session)
    assert (shown["status"], shown["outcome"]) == ("completed", "stopped")
    ordered, ended = (_when(machine, session, it) for it in ("stop_requested", "prompt_finished"))
    assert ended[1]["status"] == "stopped"
    assert timedelta() < ended[0] - ordered[0] < timedelta(seconds=20)
    assert git(path, "branch", "--list", "outboard/*") == ""
    result = follow_up(machine, session, run("cat half.txt"), "--wait")
    assert result["status"] == "completed"
    assert git(path, "show", f"{result['branch']}:half.txt") == "half\n"


def _when(machine: Machine, session: str, kind: str) -> tuple[datetime, dict[str, Any]]:
    """The only event of that kind, and the server's time of it."""
    (found,) = (
        (datetime.fromisoformat(entry["at"]), event)
        for entry in machine.json("events", session, "--after", "0")
        for event in entry["events"]
        if event["type"] == kind
    )
    return found


def _runs_bash(machine: Machine, session: str) -> bool:
    told = events(machine, session)
    return any(e["type"] == "tool" and e["status"] == "running" for e in told)


def test_a_refused_push_is_a_failed_run_with_its_reason(machine: Machine, tmp_path: Path):
    path = repository(tmp_path / "tool", greeting__py=GREETING)
    session = opened(machine, path, run("true"), "--wait")["session"]
    (path / ".git" / "refs" / "heads" / "outboard").write_text("in the way\n")

    done = machine.outboard("prompt", "--session", session, run("echo x > x"), "--wait", "--json")

    result = json.loads(done.stdout.splitlines()[-1])
    assert done.returncode == 1
    assert result["status"] == "failed"
    assert "push" in result["error"]
    assert result["branch"] is None


def test_a_model_that_refuses_fails_the_run_and_the_next_prompt_works(
    machine: Machine, tmp_path: Path
):
    path = repository(tmp_path / "tool", greeting__py=GREETING)
    refused = script({"status": 401, "message": "invalid key"})
    done = machine.outboard("prompt", "--repo", str(path), refused, "--wait", "--json")

    result = json.loads(done.stdout.splitlines()[-1])
    again = follow_up(machine, result["session"], run("echo ok > ok.txt"), "--wait")

    assert (done.returncode, result["status"]) == (1, "failed")
    assert "invalid key" in result["error"]
    assert again["status"] == "completed"


def test_lifecycle_scripts_run_and_a_failing_setup_is_a_warning(machine: Machine, tmp_path: Path):
    path = repository(tmp_path / "tool", greeting__py=GREETING)
    scripts = path / ".openinspect"
    scripts.mkdir()
    (scripts / "setup.sh").write_text("echo preparing; touch /tmp/prepared; exit 3\n")
    (scripts / "start.sh").write_text("sleep 1000 & echo started\n")
    git(path, "add", "--all")
    git(path, "commit", "--quiet", "--message", "scripts")

    result = opened(machine, path, run("ls /tmp/prepared"), "--wait")

    phases = [e for e in events(machine, result["session"]) if e["type"] == "boot_progress"]
    (told,) = (e for e in phases if (e["phase"], e["status"]) == ("setup", "completed"))
    kept = _kept(machine, result["session"], "setup")
    assert result["status"] == "completed"
    for setup in (told, kept):
        assert (setup["repository"], setup["outputTail"]) == ("tool", "preparing")
        assert setup["warning"] == ".openinspect/setup.sh ended with status 3"


def test_a_failing_start_ends_the_boot_and_says_why(machine: Machine, tmp_path: Path):
    path = repository(tmp_path / "tool", greeting__py=GREETING)
    (path / ".openinspect").mkdir()
    (path / ".openinspect" / "start.sh").write_text("echo no database; exit 1\n")
    git(path, "add", "--all")
    git(path, "commit", "--quiet", "--message", "scripts")

    done = machine.outboard("prompt", "--repo", str(path), run("ls"), "--wait", "--json")

    result = json.loads(done.stdout.splitlines()[-1])
    assert (done.returncode, result["status"]) == (1, "failed")
    phases = [e for e in events(machine, result["session"]) if e["type"] == "boot_progress"]
    (told,) = (e for e in phases if e["status"] == "failed")
    kept = _kept(machine, result["session"], "start")
    assert "in phase start for tool: .openinspect/start.sh ended with status 1" in result["error"]
    assert (told["phase"], kept["status"]) == ("start", "failed")
    assert told["outputTail"] == kept["outputTail"] == "no database"


def _kept(machine: Machine, session: str, phase: str) -> dict[str, Any]:
    """What can be read of a phase of the only boot, also long afterwards."""
    (boot,) = machine.json("boots", session)
    (found,) = (each for each in boot["phases"] if each["phase"] == phase)
    return found
