"""The keeper in a process of its own: it ends all of its descendants, and a test's are not its."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox_bridge.exits import GAVE_UP, RETIRED, UNUSABLE
from sandbox_bridge.supervisor.keeper import LAST_WORDS
from sandbox_bridge.supervisor.restarts import MOST_IN_A_ROW
from tests.sandbox_bridge.sandbox import PROJECT

KEEP = """
import sys
from datetime import timedelta
from pathlib import Path
from sandbox_bridge import log
from sandbox_bridge.processes import adopt_orphans
from sandbox_bridge.redaction import Redactor
from sandbox_bridge.supervisor.keeper import Keeper
from sandbox_bridge.supervisor.restarts import Restarts

log.to_file(Path("log"))
adopt_orphans()
keeper = Keeper(
    ("sh", "-c", sys.argv[1]),
    b"who it is",
    redact=Redactor({}, others=["correct-horse-battery-staple"]),
    variables={"MARK": "x"},
    restarts=Restarts(timedelta()),
)
raise SystemExit(keeper.run())
"""


def kept(tmp_path: Path, bridge: str) -> int:
    """The exit status of a keeper whose bridge is this shell script."""
    command = [sys.executable, "-c", KEEP, bridge]
    return subprocess.run(
        command,
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(PROJECT)},
        check=False,
        timeout=60,
    ).returncode


def test_a_bridge_that_keeps_dying_is_given_up(tmp_path: Path):
    status = kept(tmp_path, "echo x >> lives; exit 3")

    assert status == GAVE_UP
    assert len((tmp_path / "lives").read_text().split()) == MOST_IN_A_ROW + 1


@pytest.mark.parametrize("status", [RETIRED, UNUSABLE])
def test_a_bridge_that_is_through_is_not_started_again(tmp_path: Path, status: int):
    assert kept(tmp_path, f"echo x >> lives; exit {status}") == status
    assert (tmp_path / "lives").read_text() == "x\n"


def test_each_bridge_is_told_who_it_is(tmp_path: Path):
    kept(tmp_path, "cat >> heard; echo $MARK >> heard; [ $(wc -l < heard) = 2 ] || exit 1")

    assert (tmp_path / "heard").read_text() == "who it isx\n" * 2


def test_what_a_dead_bridge_left_running_ends_before_the_next_begins(tmp_path: Path):
    bridge = """
    if [ -e pid ]; then kill -0 $(cat pid) 2>/dev/null && touch alive; exit 0; fi
    setsid sh -c 'echo $$ > pid; exec sleep 600' &
    while [ ! -s pid ]; do sleep 0.02; done
    exit 1
    """

    assert kept(tmp_path, bridge) == RETIRED
    assert (tmp_path / "pid").exists()
    assert not (tmp_path / "alive").exists()


def test_the_last_words_of_a_bridge_are_logged_without_what_is_secret_in_them(tmp_path: Path):
    bridge = """
    printf 'it was correct-horse' >&2
    sleep 0.1
    printf -- '-battery-staple, in pieces, Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5LXN0YXBsZQ== encoded'
    exit 3
    """

    kept(tmp_path, bridge)

    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    died = [line["words"] for line in lines if line["event"] == "bridge died"]
    assert died == ["it was [redacted], in pieces, [redacted] encoded"] * (MOST_IN_A_ROW + 1)
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


def test_of_many_words_the_last_are_logged_and_nothing_waits_for_them_to_be_read(tmp_path: Path):
    kept(tmp_path, "head -c 300000 /dev/zero | tr '\\0' x; echo the end; exit 3")

    line = json.loads((tmp_path / "log").read_text().splitlines()[0])
    assert len(line["words"]) == LAST_WORDS
    assert line["words"].endswith("xthe end\n")
