"""The keeper in a process of its own: it ends all of its descendants, and a test's are not its."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox_bridge.exits import GAVE_UP, RETIRED, UNUSABLE
from sandbox_bridge.supervisor.restarts import MOST_IN_A_ROW
from tests.sandbox_bridge.sandbox import PROJECT

KEEP = """
import sys
from datetime import timedelta
from pathlib import Path
from sandbox_bridge.processes import adopt_orphans
from sandbox_bridge.supervisor.keeper import Keeper
from sandbox_bridge.supervisor.restarts import Restarts

adopt_orphans()
keeper = Keeper(
    ("sh", "-c", sys.argv[1]),
    b"who it is",
    words=Path(sys.argv[2]),
    variables={"MARK": "x"},
    restarts=Restarts(timedelta()),
)
raise SystemExit(keeper.run())
"""


def kept(tmp_path: Path, bridge: str) -> int:
    """The exit status of a keeper whose bridge is this shell script."""
    command = [sys.executable, "-c", KEEP, bridge, str(tmp_path / "words")]
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
