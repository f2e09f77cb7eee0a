"""What a turn has left uncommitted outlives idle time, a bridge that dies, a sandbox that dies."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

from tests.e2e.machine import Machine, git, repository
from tests.e2e.outside import Provider, bridges, frozen
from tests.e2e.talk import Api, Talk, run
from tests.model import script

AWAKE = 600
"""Seconds; for a test that is not about idle time."""


def test_an_idle_sandbox_is_paused_and_wakes_with_all_that_was_left_in_it(
    hasty: Machine, api: Api, provider: Provider, tmp_path: Path
):
    path = repository(tmp_path / "tool", __gitignore="ignored.txt\n")
    with_setup(path, "echo ran >> ~/setups.txt\n")
    talk = api.open(path)
    talk.done("echo here > ignored.txt; echo home > ~/home.txt")
    sandbox = provider.only(talk.id)

    talk.wait(lambda: provider.state(sandbox) == "paused")
    assert (talk.status(), talk.view()["status"]) == ("stopped", "completed")
    with frozen(hasty, "repository_host"):  # so that the session branch can't be fetched yet
        number = talk.ask(READS_THEN_WRITES)
        talk.wait(lambda: "read" in done(talk, number))
        held = (done(talk, number), talk.events("boot_completed"))
    record = talk.until_ended(number)

    assert held == (["read"], [])
    assert done(talk, number) == ["read", "bash"]
    assert (record["status"], record["error"]) == ("completed", None)
    assert git(path, "show", f"{talk.branch}:found.txt") == "here\nhome\nran\n"
    assert provider.only(talk.id) == sandbox
    assert [boot["boot"] for boot in talk.boots()] == ["resume", "fresh"]
    assert talk.statuses(2)[:3] == ["spawning", "connecting", "ready"]
    assert "setup" in talk.phases(1)
    assert "setup" not in talk.phases(2)
    assert saved(talk) == [1]
    talk.wait(lambda: saved(talk) == [1, 2])  # what was too soon after the turn, when it is idle


READS_THEN_WRITES = script(
    {"tools": [{"name": "read", "args": {"filePath": "ignored.txt"}}]},
    {
        "tools": [
            {
                "name": "bash",
                "args": {
                    "command": "cat ignored.txt ~/home.txt ~/setups.txt > found.txt",
                    "description": ".",
                },
            }
        ]
    },
    {"text": "Found."},
)


def done(talk: Talk, number: int) -> list[str]:
    return [event["tool"] for event in talk.events("tool", prompt=number, status="completed")]


def with_setup(path: Path, content: str) -> None:
    (path / ".openinspect").mkdir(exist_ok=True)
    (path / ".openinspect" / "setup.sh").write_text(content)
    git(path, "add", "--all")
    git(path, "commit", "--quiet", "--message", "setup")


def test_a_killed_sandbox_is_made_anew_from_its_last_copy_else_from_what_was_pushed(
    api: Api, provider: Provider, tmp_path: Path
):
    path = repository(tmp_path / "tool", __gitignore="ignored.txt\n")
    talk = api.open(path, inactivitySeconds=AWAKE)

    talk.done("echo one > ignored.txt; echo pushed > pushed.txt")
    talk.wait(lambda: saved(talk) == [1])
    talk.until_status("ready")
    talk.done("echo two >> ignored.txt")
    assert (talk.status(), saved(talk)) == ("ready", [1])  # it is too soon for another copy
    talk.post("snapshot")
    talk.wait(lambda: saved(talk) == [1, 2])

    cut_off(talk, "echo three >> ignored.txt", lambda: provider.kill(provider.only(talk.id)))
    talk.done("cp ignored.txt found.txt")
    assert git(path, "show", f"{talk.branch}:found.txt") == "one\ntwo\n"
    assert talk.warnings() == LOST

    def kill_and_forget() -> None:
        provider.kill(provider.only(talk.id))
        provider.forget_copies(talk.id)

    cut_off(talk, "true", kill_and_forget)
    talk.done("ls ignored.txt found.txt pushed.txt > there.txt || true")
    assert git(path, "show", f"{talk.branch}:there.txt") == "found.txt\npushed.txt\n"
    assert talk.warnings()[2:] == [
        *LOST,
        "the copy of the session's files is lost",
        "the sandbox starts from what was pushed",
    ]
    assert [boot["boot"] for boot in talk.boots()] == ["fresh", "restore", "fresh"]
    assert len(talk.ends()) == 6


GONE = (
    "the sandbox does not exist any more; the next one begins with the last copy of its files, or "
    "with what was pushed"
)
LOST = [
    "the session's sandbox is lost",
    "the next sandbox is made anew from the last copy of its files",
]


def saved(talk: Talk) -> list[int]:
    return [event["prompt"] for event in talk.events("snapshot_saved")]


def cut_off(talk: Talk, command: str, accident: Callable[[], None]) -> None:
    """A turn in which that happens: its prompt fails, once, and says so in a sentence."""
    number = talk.ask(run(f"{command}; echo begun; sleep 600"))
    talk.until_said(number, "begun")
    accident()
    record = talk.until_ended(number)
    assert (record["status"], record["error"]) == ("failed", GONE)
    assert talk.ends().count((number, "failed")) == 1


def test_a_killed_bridge_ends_its_prompt_once_and_the_next_runs_in_the_same_sandbox(
    api: Api, provider: Provider, tmp_path: Path
):
    path = repository(tmp_path / "tool", a__txt="a\n")
    talk = api.open(path, inactivitySeconds=AWAKE)
    number = talk.ask(run("echo half > half.txt; echo begun; sleep 600"))
    talk.until_said(number, "begun")
    sandbox = provider.only(talk.id)

    (bridge,) = bridges(sandbox)
    os.kill(bridge, signal.SIGKILL)
    record = talk.until_ended(number)
    talk.done("cat half.txt")

    assert (record["status"], record["error"]) == (
        "failed",
        "the agent's bridge restarted during this turn; the files are kept",
    )
    assert talk.ends() == [(1, "failed"), (2, "completed")]
    assert git(path, "show", f"{talk.branch}:half.txt") == "half\n"
    assert provider.only(talk.id) == sandbox
    assert len(talk.boots()) == 1


def test_a_silent_sandbox_is_stale_its_prompt_fails_once_and_the_next_wakes_it(
    api: Api, provider: Provider, tmp_path: Path
):
    path = repository(tmp_path / "tool", a__txt="a\n")
    talk = api.open(path, inactivitySeconds=AWAKE)
    number = talk.ask(run("echo half > half.txt; echo begun; sleep 600"))
    talk.until_said(number, "begun")
    sandbox = provider.only(talk.id)

    for bridge in bridges(sandbox):
        os.kill(bridge, signal.SIGSTOP)
    record = talk.until_ended(number)
    talk.done("cat half.txt")

    assert record["status"] == "failed"
    assert "silent for 6 seconds" in record["error"]
    assert "stale" in talk.statuses(1)
    assert talk.ends() == [(1, "failed"), (2, "completed")]
    assert git(path, "show", f"{talk.branch}:half.txt") == "half\n"
    assert provider.only(talk.id) == sandbox
    assert [boot["boot"] for boot in talk.boots()] == ["resume", "fresh"]
