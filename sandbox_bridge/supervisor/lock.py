"""One supervisor per sandbox: a lock that the kernel lets go of, however its holder ends.

A provider that wakes a paused sandbox may start a second supervisor while the first still lives.
The lock file says who holds it and for which attempt, so the one with the newer launch file can
end the older and take its place.
"""

import fcntl
import json
import os
import signal
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path

POLITE = timedelta(seconds=8)
"""How long an older supervisor has to end its sandbox's processes before it is killed."""

PATIENCE = timedelta(seconds=20)
PAUSE = timedelta(milliseconds=50)


@dataclass(frozen=True, slots=True)
class Holder:
    pid: int
    session: str
    attempt: int

    def is_newer_than(self, other: "Holder") -> bool:
        return self.session == other.session and self.attempt > other.attempt


def take(path: Path, me: Holder) -> bool:
    """Hold the lock until this process ends. False: a supervisor of a newer attempt has it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    began = time.monotonic()
    while not _lock(descriptor):
        holder = _read(path)
        if holder and holder.is_newer_than(me):
            os.close(descriptor)
            return False
        waited = timedelta(seconds=time.monotonic() - began)
        if waited > PATIENCE:
            raise TimeoutError(f"{holder} does not let go of the lock")
        if holder:
            _tell(holder.pid, signal.SIGTERM if waited < POLITE else signal.SIGKILL)
        time.sleep(PAUSE.total_seconds())
    _write(descriptor, me)
    return True


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(path: Path) -> Holder | None:
    """None while a holder has not written itself down yet."""
    try:
        return Holder(**json.loads(path.read_bytes()))
    except (ValueError, TypeError):
        return None


def _write(descriptor: int, holder: Holder) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, json.dumps(asdict(holder)).encode(), 0)


def _tell(pid: int, what: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, what)
