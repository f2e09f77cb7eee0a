"""The host's end of the nursery and of each worker in it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from threading import Lock
from typing import Any

from infra.local.aws.lambdas.deployed import Function

_ROOT = Path(__file__).parents[4]
_INIT_BUDGET = timedelta(seconds=10)
"""Lambda's own for the init phase."""


class TimedOut(Exception):
    """The function did not answer within its timeout."""


class Exited(Exception):
    """The function's process ended instead of answering."""


class Nursery:
    """Starts the fork server on first use, and again if it has died."""

    def __init__(self, log: int, *, preload: bool) -> None:
        self._log = log
        self._preload = preload
        self._lock = Lock()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._lock:
            self._running()

    def spawn(self, function: Function) -> "Worker":
        """A worker that has imported the function; raises InitFailed if it could not."""
        ours, theirs = socket.socketpair()
        with self._lock, theirs:
            pid = self._fork(theirs.fileno())
        worker = Worker(ours, pid, function)
        worker.initialise()
        return worker

    def stop(self) -> None:
        """Ends the workers too: they have asked the kernel to die with it."""
        if self._process is not None and self._control is not None:
            self._process.kill()
            self._process.wait()
            self._control.close()

    def _fork(self, channel: int) -> int:
        control = self._running()
        socket.send_fds(control, [b"+"], [channel, self._log])
        return int.from_bytes(control.recv(4), "big")

    def _running(self) -> socket.socket:
        if self._control is not None and self._process and self._process.poll() is None:
            return self._control
        self.stop()
        self._control, theirs = socket.socketpair()
        with theirs:
            command = [
                sys.executable,
                "-m",
                "infra.local.aws.lambdas.nursery",
                str(theirs.fileno()),
            ]
            self._process = subprocess.Popen(
                [*command, *(["--preload"] if self._preload else [])],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                cwd=_ROOT,
                env={"PATH": os.environ.get("PATH", os.defpath)},
            )
        return self._control


@dataclass(frozen=True, slots=True)
class InitFailed(Exception):
    error: Any


class Worker:
    def __init__(self, channel: socket.socket, pid: int, function: Function) -> None:
        self.function = function
        self.pid = pid
        self.idle_since = time.monotonic()
        self._channel = channel
        # The nursery's child, not ours: a descriptor is the way to signal it and nobody else.
        self._process = os.pidfd_open(pid)

    def initialise(self) -> None:
        described = {
            "name": self.function.name,
            "handler": self.function.handler,
            "environment": dict(self.function.environment),
            "path": self.function.path,
        }
        try:
            answer = self._exchange(described, _INIT_BUDGET)
        except (Exited, TimedOut):
            self.kill()
            raise
        if "failed" in answer:
            self.kill()
            raise InitFailed(answer["failed"])

    def invoke(self, event: Any, context: dict[str, Any]) -> Any:
        """The worker's answer, {"result"} or {"error"}; after an exception the worker is gone."""
        deadline = time.time() + self.function.timeout.total_seconds()
        request = {"event": event, "context": {**context, "deadline": deadline}}
        return self._exchange(request, self.function.timeout)

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._process, signal.SIGKILL)
        os.close(self._process)
        self._channel.close()

    def _exchange(self, message: Any, budget: timedelta) -> Any:
        deadline = time.monotonic() + budget.total_seconds()
        try:
            self._channel.settimeout(budget.total_seconds())
            self._channel.sendall(json.dumps(message).encode() + b"\n")
            return json.loads(self._line(deadline))
        except TimeoutError as error:
            raise TimedOut from error
        except (BrokenPipeError, ConnectionResetError) as error:
            raise Exited from error

    def _line(self, deadline: float) -> bytes:
        received = bytearray()
        while not received.endswith(b"\n"):
            self._channel.settimeout(max(0.001, deadline - time.monotonic()))
            piece = self._channel.recv(256 * 1024)
            if not piece:
                raise Exited
            received += piece
        return bytes(received)
