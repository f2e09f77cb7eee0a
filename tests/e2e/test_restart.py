"""`kill -9` of the whole machine with a session in every phase that there is: all of them go on.

In the last moments neither the provider nor the bridge of the session that is stopped answers, so
that what was asked of them is still under way.
"""

import os
import signal
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.machine import Machine, git, repository
from tests.e2e.outside import Provider, bridges, frozen
from tests.e2e.talk import Api, Talk, run

PHASES = {
    "spawning": "spawning",
    "in setup.sh": "connecting",
    "idle": "ready",
    "running": "ready",
    "saving": "snapshotting",
    "stopping": "ready",
    "putting away": "stopped",
    "paused": "stopped",
}
"""And the sandbox's status in it."""

WORK = "echo kept > ignored.txt; echo begun"
ENDS = dict.fromkeys(PHASES, "completed") | {
    "in setup.sh": "failed",
    "running": "failed",
    "stopping": "stopped",
}
"""Of the prompt that was acknowledged before."""

LEFT = dict.fromkeys(PHASES, "kept\n") | {"in setup.sh": ""}
"""In a file that no commit has."""


@dataclass(frozen=True)
class Story:
    """A session, and its timeline as it stood when the power went out."""

    talk: Talk
    path: Path
    before: list[dict[str, Any]]


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Generator[Machine]:
    with Machine(tmp_path_factory.mktemp("restart")) as running:
        yield running


@pytest.fixture(scope="module")
def stories(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Story]:
    """Each has gone on by one more prompt, which it was given as soon as the machine was back."""
    home, api = tmp_path_factory.mktemp("repositories"), Api(machine)
    paths = {name: repository(home / name, __gitignore="ignored.txt\n") for name in PHASES}
    commit_setup(paths["in setup.sh"], "sleep 600\n")
    talks = {name: api.open(path) for name, path in paths.items()}

    bring_to_their_phases(talks)
    for bridge in bridges(Provider(machine).only(talks["stopping"].id)):
        os.kill(bridge, signal.SIGSTOP)
    with frozen(machine, "sandbox_host"):
        begin_what_takes_time(talks)
        found = {name: talk.status() for name, talk in talks.items()}
        before = {name: talk.timeline() for name, talk in talks.items()}
        machine.kill()
    assert found == PHASES

    commit_setup(paths["in setup.sh"], "true\n")
    machine.start()
    for name in ("paused", "putting away"):
        talks[name].post("unarchive")
    for talk in talks.values():
        talk.ask(run("touch ignored.txt && cp ignored.txt found.txt"))
    return {name: Story(talks[name], paths[name], before[name]) for name in PHASES}


def commit_setup(path: Path, content: str) -> None:
    (path / ".openinspect").mkdir(exist_ok=True)
    (path / ".openinspect" / "setup.sh").write_text(content)
    git(path, "add", "--all")
    git(path, "commit", "--quiet", "--message", "setup")


def bring_to_their_phases(talks: dict[str, Talk]) -> None:
    at_rest, at_work = ("paused", "putting away", "idle", "saving"), ("running", "stopping")
    for name in (*at_rest, "in setup.sh"):
        talks[name].ask(run(WORK))
    for name in at_work:
        talks[name].ask(run(f"{WORK}; sleep 600"))
    for talk in (talks[name] for name in at_rest):
        assert talk.until_ended(1)["status"] == "completed"
        talk.until_status("ready")
    for name in at_work:
        talks[name].until_said(1, "begun")
    booting, put_away = talks["in setup.sh"], talks["paused"]
    booting.wait(lambda: booting.view()["sandbox"]["phase"] == "setup")
    put_away.post("archive")
    put_away.wait(lambda: put_away.view()["sandbox"]["attempt"] is None)


def begin_what_takes_time(talks: dict[str, Talk]) -> None:
    talks["spawning"].ask(run(WORK))
    talks["saving"].post("snapshot")
    talks["putting away"].post("archive")
    talks["stopping"].post("stop")


@pytest.mark.parametrize("phase", PHASES)
def test_a_session_goes_on_after_the_machine_was_killed_while(
    machine: Machine, stories: dict[str, Story], phase: str
):
    story, talk = stories[phase], stories[phase].talk

    first, second = talk.until_ended(1), talk.until_ended(2)

    assert talk.timeline()[: len(story.before)] == story.before
    assert talk.ends() == [(1, ENDS[phase]), (2, "completed")]
    assert bool(first["error"]) == (ENDS[phase] != "completed")
    assert second["error"] is None
    assert git(story.path, "show", f"{talk.branch}:found.txt") == LEFT[phase]
    assert len(Provider(machine).of(talk.id)) == 1
