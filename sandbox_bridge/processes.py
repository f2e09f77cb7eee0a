"""The processes of a sandbox, as Linux tells them in /proc: who descends from whom, who is left."""

import ctypes
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36

PAUSE = timedelta(milliseconds=20)


def adopt_orphans() -> None:
    """Make this process the parent of every descendant that loses its own."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with(parent: int) -> None:
    """Be killed when `parent` ends, however it ends."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise SystemExit("the supervisor is gone")


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def descendants(ancestor: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for pid, parent in _parents():
        children.setdefault(parent, []).append(pid)
    found: list[int] = []
    waiting = [ancestor]
    while waiting:
        born = children.get(waiting.pop(), [])
        found += born
        waiting += born
    return found


def marked(variable: str, value: str) -> list[int]:
    """Everything with that variable in the environment it was started with."""
    mark = f"{variable}={value}".encode()
    return [pid for pid in _pids() if mark in _environment(pid)]


def carrying(variable: str) -> list[int]:
    """Everything that was started with such a variable, whatever its value."""
    mark = f"{variable}=".encode()
    return [pid for pid in _pids() if any(each.startswith(mark) for each in _environment(pid))]


def _pids() -> Iterator[int]:
    return (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())


def _parents() -> Iterator[tuple[int, int]]:
    for pid in _pids():
        with suppress(OSError):
            # "pid (any name) state parent ...": the name may hold spaces and brackets itself.
            stat = Path(f"/proc/{pid}/stat").read_bytes()
            yield pid, int(stat.rpartition(b") ")[2].split()[1])


def _environment(pid: int) -> list[bytes]:
    with suppress(OSError):
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return []


def end_all(find: Callable[[], Iterable[int]], within: timedelta) -> bool:
    """Kill whatever `find` finds, again and again until it finds nothing; whether it came to that.

    Again, because a process may start another one between being found and being killed.
    """
    deadline = time.monotonic() + within.total_seconds()
    while targets := list(find()):
        for pid in targets:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        reap()
        if time.monotonic() > deadline:
            return False
        time.sleep(PAUSE.total_seconds())
    return True


def reap() -> None:
    """Bury children that have ended, without waiting for those that live."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
