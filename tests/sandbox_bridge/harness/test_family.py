"""Finding and ending what was started, wherever it went."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from sandbox_bridge.harness.family import MARK, Family, end
from tests.sandbox_bridge.eventually import eventually

SOON = timedelta(seconds=20)

type Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def family(tmp_path: Path) -> Family:
    return Family(mark=str(tmp_path))


@pytest.fixture
def start(family: Family) -> Iterator[Start]:
    """Runs a shell command; what is left of it is killed after the test."""
    started: list[subprocess.Popen[bytes]] = []

    def run(command: str, **more: str) -> subprocess.Popen[bytes]:
        environment = {"PATH": os.environ["PATH"], **more}
        process = subprocess.Popen(["sh", "-c", command], env=environment, start_new_session=True)
        started.append(process)
        return process

    yield run
    for left in family.members():
        os.kill(left.pid, signal.SIGKILL)
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_a_process_is_found_by_its_mark_after_it_left_its_parent_and_group(
    family: Family, start: Start
):
    start("setsid sleep 4721 & setsid sleep 4722 &", **family.environment)

    async def scenario() -> bool:
        await eventually(lambda: _commands(family) == {"sleep 4721", "sleep 4722"})
        return await end(family.members, frozenset(), SOON)

    assert asyncio.run(scenario())
    assert family.members() == frozenset()


def test_a_descendant_is_found_that_dropped_its_environment(family: Family, start: Start):
    start("env -i /bin/sleep 4723; true", **family.environment)

    async def scenario() -> bool:
        await eventually(lambda: "/bin/sleep 4723" in _commands(family))
        return await end(family.members, frozenset(), SOON)

    assert asyncio.run(scenario())
    assert family.members() == frozenset()


def test_what_is_spared_stays_when_its_parent_goes(family: Family, start: Start):
    parent = start("setsid sleep 4724 & sleep 4725", **family.environment)

    async def scenario() -> bool:
        await eventually(lambda: {"sleep 4724", "sleep 4725"} <= _commands(family))
        spared = frozenset(each for each in family.members() if _command(each.pid) == "sleep 4724")
        ended = await end(family.members, spared, SOON)
        assert family.members() == spared
        return ended and await end(family.members, frozenset(), SOON)

    assert asyncio.run(scenario())
    assert parent.wait() != 0


def test_the_processes_of_others_are_none_of_ours(family: Family, start: Start):
    start("sleep 4726", **{MARK: f"{family.mark}-and-more"})

    assert family.members() == frozenset()


REAPER = """
import asyncio, os, subprocess, sys
from datetime import timedelta
from sandbox_bridge.harness.family import Family, end
from sandbox_bridge.processes import adopt_orphans

adopt_orphans()
helper = subprocess.Popen(["sleep", "4728"])
subprocess.run(["sh", "-c", "env -i setsid sleep 4727 > /dev/null & sleep 0.1"], check=True)
serving = {**os.environ, "OUTBOARD_SERVICE": "tool"}
subprocess.run(["sh", "-c", "setsid sleep 4729 > /dev/null & echo $!"], check=True, env=serving)
family = Family("nobody has this mark", reaper=os.getpid())
orphans = [process.pid for process in family.members()]
print(len(orphans), asyncio.run(end(family.members, frozenset(), timedelta(seconds=20))))
print(helper.poll())
helper.kill()
"""


def test_an_orphan_without_a_mark_is_found_at_the_reaper_but_no_helper_of_it_and_no_service():
    root = Path(__file__).resolve().parents[3]

    told = subprocess.run(
        [sys.executable, "-c", REAPER], cwd=root, stdout=subprocess.PIPE, text=True, check=True
    )

    service, *rest = told.stdout.split()
    assert rest == ["1", "True", "None"]
    os.kill(int(service), signal.SIGKILL)


def _commands(family: Family) -> set[str]:
    return {_command(process.pid) for process in family.members()}


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""
