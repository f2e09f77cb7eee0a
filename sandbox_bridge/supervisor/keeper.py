"""Keeps one bridge alive, and leaves nothing behind when it ends.

When a bridge dies, everything it had started dies before the next one starts: an agent that goes on
without its bridge would change files that nobody watches.
"""

import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import NoReturn

from sandbox_bridge import processes
from sandbox_bridge.exits import FINAL, GAVE_UP
from sandbox_bridge.identity import in_memory
from sandbox_bridge.redaction import LastWords, Redactor
from sandbox_bridge.supervisor.restarts import Restarts

logger = logging.getLogger(__name__)

GRACE = timedelta(seconds=4)
"""For a bridge to close its agent when the sandbox is to end."""

CLEARED_WITHIN = timedelta(seconds=10)
LAST_WORDS = 2_000
READ_BYTES = 64 * 1024


class _Terminated(BaseException):
    """SIGTERM came; not an `Exception`, so that nothing on the way takes it for a failure."""


class Keeper:
    """What a bridge says when it can't log any more is kept in memory, until it is logged here."""

    def __init__(
        self,
        command: Sequence[str],
        identity: bytes,
        *,
        redact: Redactor,
        variables: Mapping[str, str],
        restarts: Restarts,
    ) -> None:
        self._command = command
        self._identity = identity
        self._redact = redact
        self._variables = variables
        self._restarts = restarts
        self._bridge: int | None = None

    def run(self) -> int:
        """The exit status of the supervisor."""
        signal.signal(signal.SIGTERM, _terminate)
        signal.signal(signal.SIGINT, _terminate)
        try:
            return self._keep()
        except _Terminated:
            return 0
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            self._end_bridge()
            _clear()

    def _keep(self) -> int:
        while True:
            began = time.monotonic()
            status, words = self._one_life()
            if status in FINAL:
                return status
            delay = self._restarts.after(timedelta(seconds=time.monotonic() - began))
            logger.error("bridge died", extra={"status": status, "words": words})
            if delay is None:
                return GAVE_UP
            time.sleep(delay.total_seconds())

    def _one_life(self) -> tuple[int, str]:
        """Its status, and its last words. Whatever it started has ended, too."""
        words = _Words(self._redact)
        descriptor = in_memory(self._identity)
        bridge = subprocess.Popen(
            [*self._command, "--supervisor", str(os.getpid())],
            stdin=descriptor,
            stdout=words.writing_end,
            stderr=words.writing_end,
            env={**os.environ, **self._variables},
        )
        os.close(descriptor)
        words.listen()
        self._bridge = bridge.pid
        status = _wait_for(bridge.pid)
        self._bridge, bridge.returncode = None, status
        _clear()
        return status, words.end()

    def _end_bridge(self) -> None:
        if self._bridge is None:
            return
        with suppress(ProcessLookupError):
            os.kill(self._bridge, signal.SIGTERM)
        deadline = time.monotonic() + GRACE.total_seconds()
        while time.monotonic() < deadline and not _has_ended(self._bridge):
            time.sleep(processes.PAUSE.total_seconds())


class _Words:
    """A pipe, and a thread that reads it: a bridge never waits for somebody to listen."""

    def __init__(self, redact: Redactor) -> None:
        self._reading_end, self.writing_end = os.pipe()
        self._last = LastWords(redact, LAST_WORDS)
        self._reader = threading.Thread(target=self._read, daemon=True)

    def listen(self) -> None:
        os.close(self.writing_end)
        self._reader.start()

    def end(self) -> str:
        """Whoever could write has ended, unless it could not be ended: it is not waited for."""
        self._reader.join(CLEARED_WITHIN.total_seconds())
        return "" if self._reader.is_alive() else self._last.end()

    def _read(self) -> None:
        while piece := os.read(self._reading_end, READ_BYTES):
            self._last.hear(piece)
        os.close(self._reading_end)


def _terminate(_number: int, _frame: object) -> NoReturn:
    raise _Terminated


def _wait_for(pid: int) -> int:
    """Its status when it ends. Orphans that were left to this process are buried meanwhile."""
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == pid:
            return os.waitstatus_to_exitcode(status)


def _has_ended(pid: int) -> bool:
    with suppress(ChildProcessError):
        return os.waitpid(pid, os.WNOHANG) != (0, 0)
    return True


def _clear() -> None:
    me = os.getpid()
    if not processes.end_all(lambda: processes.descendants(me), CLEARED_WITHIN):
        logger.error("processes left", extra={"pids": processes.descendants(me)})
