"""The crew, with real processes that are small."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from infra.local import crew
from infra.local.crew import Crew
from infra.local.programs import Program
from infra.local.refusal import Refusal
from layers.artifact import ROOT
from tests.eventually import eventually

LISTEN = """\
import os, signal, socket, sys, time
print("pid", os.getpid(), flush=True)
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    server.accept()[0].close()
"""
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + LISTEN


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def _program(directory: Path, code: str = LISTEN, name: str = "the listener") -> Program:
    port = _free_port()
    return Program(
        name=name,
        port=port,
        command=[sys.executable, "-c", code, str(port)],
        environment={"PATH": os.environ["PATH"]},
        log=directory / f"{name.rpartition(' ')[2]}.log",
    )


def _pid(program: Program) -> int:
    return int(program.log.read_text().split()[1])


def _is_alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_it_starts_what_listens_and_ends_all_of_it(tmp_path: Path):
    programs = [_program(tmp_path, name=f"the {name}") for name in ("first", "second")]

    with Crew(print) as ours:
        ours.start(programs)
        pids = [_pid(program) for program in programs]
        assert all(map(_is_alive, pids))

    assert not any(map(_is_alive, pids))


def test_whatever_goes_wrong_nothing_is_left_running(tmp_path: Path):
    program = _program(tmp_path)

    def start_and_fail() -> None:
        with Crew(print) as ours:
            ours.start([program])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        start_and_fail()

    assert not _is_alive(_pid(program))


def test_one_that_does_not_come_up_is_reported_with_its_last_words(tmp_path: Path):
    good, bad = _program(tmp_path), _program(tmp_path, "raise SystemExit('no disk')", "the bad one")

    with (
        pytest.raises(
            Refusal, match=r"the bad one ended \(exit status 1\) as it started\n.*no disk"
        ),
        Crew(print) as ours,
    ):
        ours.start([good, bad])

    assert not _is_alive(_pid(good))


def test_one_that_never_listens_is_given_up(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(crew, "STARTS_WITHIN", crew.STARTS_WITHIN * 0)
    deaf = _program(tmp_path, "import time; time.sleep(60)")

    with pytest.raises(Refusal, match="does not listen on port"), Crew(print) as ours:
        ours.start([deaf])


def test_one_that_dies_is_named_and_started_again(tmp_path: Path):
    said: list[str] = []
    program = _program(tmp_path)

    with Crew(said.append) as ours:
        ours.start([program])
        first = _pid(program)
        os.kill(first, signal.SIGKILL)
        _watch_until(ours, lambda: _has_another(program, first))
        assert _is_alive(_pid(program))

    assert said == [
        f"the listener ended (killed by SIGKILL): starting it again ({program.log} says more)"
    ]


def _has_another(program: Program, first: int) -> bool:
    words = program.log.read_text().split() if program.log.exists() else []
    return len(words) == 2 and int(words[1]) != first


def _watch_until(ours: Crew, condition: Callable[[], bool]) -> None:
    """Ctrl-C, once something is true."""

    def interrupt() -> None:
        eventually(condition)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        ours.watch()
    thread.join()


def test_one_that_dies_over_and_over_is_given_up(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(crew, "_LOOK_SELDOM", 0.05)
    said: list[str] = []
    mortal = LISTEN.replace("while True:\n    server", "for _ in range(1):\n    server")

    with Crew(said.append) as ours:
        ours.start([_program(tmp_path, mortal)])
        with pytest.raises(Refusal, match="again: giving up"):
            ours.watch()

    assert len(said) == crew.MOST_RESTARTS


def test_one_that_does_not_stop_is_killed(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(crew, "ENDS_WITHIN", crew.ENDS_WITHIN * 0.02)
    said: list[str] = []
    program = _program(tmp_path, STUBBORN)

    with Crew(said.append) as ours:
        ours.start([program])
        pid = _pid(program)

    assert not _is_alive(pid)
    assert said == ["the listener does not stop: killing it"]


def test_the_log_of_the_run_before_is_kept(tmp_path: Path):
    program = _program(tmp_path)
    program.log.write_text("before")

    with Crew(print) as ours:
        ours.start([program])

    assert program.log.with_name("listener.log.1").read_text() == "before"
    assert program.log.stat().st_mode & 0o077 == 0


CREW = """\
import sys
from pathlib import Path
from infra.local.crew import Crew
from infra.local.programs import Program
port, log, *command = sys.argv[1:]
program = Program("one", int(port), [*command, port], {}, Path(log))
with Crew(print) as ours:
    ours.start([program])
    print("up", flush=True)
    ours.watch()
"""


def test_the_death_of_the_crew_is_the_death_of_its_programs(tmp_path: Path):
    program = _program(tmp_path)
    parent = subprocess.Popen(
        [sys.executable, "-c", CREW, str(program.port), str(program.log), *program.command[:-1]],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == "up\n"
    pid = _pid(program)

    parent.kill()
    parent.communicate()

    eventually(lambda: not _is_alive(pid))
