"""The processes that an agent's tools started, wherever they have hidden.

A tool's process may change its group and session, and lose its parent. What it can't easily lose is
its environment, in which the harness left a mark, so a process is one of ours when it has the mark,
or descends from one that has, or was orphaned to our own reaper. A service that the repository's
own script has started may be orphaned there during a turn, too: it is told by a mark of its own.
"""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final

from sandbox_bridge.environment import SERVICE
from sandbox_bridge.processes import carrying, marked

MARK: Final = "OUTBOARD_AGENT"

_LOOK_AGAIN: Final = 0.05


@dataclass(frozen=True, slots=True)
class Process:
    """The same one whoever its parent is. A pid may be used again, but not with its start."""

    pid: int
    started: int
    parent: int = field(compare=False)
    session: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Family:
    """All processes with one mark. `reaper` is the subreaper that inherits their orphans."""

    mark: str
    reaper: int | None = None

    @property
    def environment(self) -> dict[str, str]:
        return {MARK: self.mark}

    def members(self) -> frozenset[Process]:
        living = {process.pid: process for process in _living()}
        own = self._orphans(living).union(marked(MARK, self.mark))
        return frozenset(process for process in living.values() if _descends(process, own, living))

    def _orphans(self, living: Mapping[int, Process]) -> set[int]:
        """Children of the reaper in sessions of their own: it starts its helpers in its own."""
        if self.reaper is None or self.reaper not in living:
            return set()
        session = living[self.reaper].session
        orphans = {
            process.pid
            for process in living.values()
            if process.parent == self.reaper and process.session != session
        }
        return orphans.difference(carrying(SERVICE))


async def end(
    members: Callable[[], frozenset[Process]], spared: frozenset[Process], within: timedelta
) -> bool:
    """Kills all but the spared; true when none of them is left.

    Repeated until it finds nobody, since a process may be born while others are killed.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + within.total_seconds()
    while remaining := members() - spared:
        if loop.time() > deadline:
            return False
        for process in remaining:
            _kill(process.pid)
        await asyncio.sleep(_LOOK_AGAIN)
    return True


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _living() -> Iterator[Process]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and (process := _process(int(entry.name))):
            yield process


def _process(pid: int) -> Process | None:
    """None for one that has ended, reaped or not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name comes in parentheses and may itself hold some: what counts stands behind the last.
    state, parent, _, session, *rest = stat.rpartition(")")[2].split()
    if state == "Z":
        return None
    return Process(pid, started=int(rest[15]), parent=int(parent), session=int(session))


def _descends(process: Process, ancestors: set[int], living: Mapping[int, Process]) -> bool:
    while process.pid not in ancestors:
        if process.parent not in living:
            return False
        process = living[process.parent]
    return True
