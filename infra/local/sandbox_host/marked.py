"""Processes found by the mark in their environment, for where no namespace holds them."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from infra.local.sandbox_host.machine import MARK

_PATIENCE_SECONDS = 10.0


def marked(mark: str) -> list[int]:
    """Of one sandbox, or of all of a host when `mark` is the host's part."""
    return [pid for pid in _pids() if _has_mark(pid, mark)]


def end_marked(mark: str) -> int:
    """Kill until none is left; how many there were. Blocks, normally for a few milliseconds."""
    seen: set[int] = set()
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while (left := marked(mark)) and time.monotonic() < deadline:
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        seen.update(left)
        time.sleep(0.01)  # until the kernel has taken them down and whoever adopted them reaps
    return len(seen)


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _has_mark(pid: int, mark: str) -> bool:
    try:
        environment = Path("/proc", str(pid), "environ").read_bytes().split(b"\0")
    except OSError:
        return False  # gone, or not ours
    prefix = f"{MARK}={mark}".encode()
    return any(entry == prefix or entry.startswith(prefix + b".") for entry in environment)
