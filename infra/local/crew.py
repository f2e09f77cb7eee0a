"""Keeps the programs of one machine running, and ends them with it.

with Crew(say) as crew:       whatever ends the block, every program is ended with it
    crew.start(programs)      returns when all of them listen
    crew.watch()              until something ends us; a program that dies is started again
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from infra.local import tether
from infra.local.programs import Program
from infra.local.refusal import Refusal

STARTS_WITHIN = timedelta(seconds=60)
ENDS_WITHIN = timedelta(seconds=10)
MOST_RESTARTS = 5
WITHIN = timedelta(minutes=10)
_LOOK = 0.05
_LOOK_SELDOM = 0.5
_LAST_WORDS = 15


@dataclass(slots=True)
class _Running:
    program: Program
    process: subprocess.Popen[bytes]
    restarts: deque[float] = field(default_factory=lambda: deque[float](maxlen=MOST_RESTARTS))

    @property
    def died(self) -> bool:
        return self.process.poll() is not None


class Crew:
    """Used from the main thread only: see `tether`."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._running: list[_Running] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end()

    def start(self, programs: Iterable[Program]) -> None:
        """Raises `Refusal` with the last words of one that does not come up."""
        started = [_Running(program, _start(program)) for program in programs]
        self._running += started
        for one in started:
            _listening(one)

    def watch(self) -> None:
        """Raises `Refusal` when a program dies over and over."""
        while True:
            time.sleep(_LOOK_SELDOM)
            for one in self._running:
                if one.died:
                    self._start_again(one)

    def _start_again(self, one: _Running) -> None:
        how = _how_it_died(one)
        now = time.monotonic()
        if len(one.restarts) == MOST_RESTARTS and now - one.restarts[0] < WITHIN.total_seconds():
            raise Refusal(f"{how}, again: giving up\n{_last_words(one.program)}")
        one.restarts.append(now)
        self._say(f"{how}: starting it again ({one.program.log} says more)")
        one.process = _start(one.program)
        _listening(one)

    def _end(self) -> None:
        alive = [one for one in self._running if not one.died]
        for one in alive:
            one.process.terminate()
        deadline = time.monotonic() + ENDS_WITHIN.total_seconds()
        for one in alive:
            try:
                one.process.wait(max(0.0, deadline - time.monotonic()))
            except (subprocess.TimeoutExpired, KeyboardInterrupt):
                self._say(f"{one.program.name} does not stop: killing it")
                one.process.kill()
                one.process.wait()


def _start(program: Program) -> subprocess.Popen[bytes]:
    """In a process group of its own: Ctrl-C is for us, and we end the others in our order."""
    keep_one_older(program.log)
    descriptor = os.open(program.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        return subprocess.Popen(
            [sys.executable, tether.__file__, str(os.getpid()), *program.command],
            env=program.environment,
            stdin=subprocess.DEVNULL,
            stdout=descriptor,
            stderr=descriptor,
            process_group=0,
        )
    finally:
        os.close(descriptor)


def keep_one_older(log: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        log.replace(log.with_name(f"{log.name}.1"))


def _listening(one: _Running) -> None:
    deadline = time.monotonic() + STARTS_WITHIN.total_seconds()
    while not _answers(one.program.port):
        if one.died:
            raise Refusal(f"{_how_it_died(one)} as it started\n{_last_words(one.program)}")
        if time.monotonic() > deadline:
            waited = f"{STARTS_WITHIN.total_seconds():.0f} s"
            raise Refusal(
                f"{one.program.name} does not listen on port {one.program.port} after {waited}\n"
                + _last_words(one.program)
            )
        time.sleep(_LOOK)


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _how_it_died(one: _Running) -> str:
    status = one.process.returncode
    how = f"exit status {status}" if status >= 0 else f"killed by {signal.Signals(-status).name}"
    return f"{one.program.name} ended ({how})"


def _last_words(program: Program) -> str:
    lines = program.log.read_text(errors="replace").splitlines()[-_LAST_WORDS:]
    return "\n".join(f"  | {line}" for line in lines)
