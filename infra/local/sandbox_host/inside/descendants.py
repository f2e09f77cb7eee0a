"""Every process below this one, however it was forked, and the end of them all."""

import contextlib
import os
import signal
from pathlib import Path


def descendants(root: int) -> list[int]:
    """Processes below `root`. With `root` a subreaper nothing that it started can be elsewhere."""
    children: dict[int, list[int]] = {}
    for pid, parent in _parents():
        children.setdefault(parent, []).append(pid)
    found: list[int] = []
    unseen = [root]
    while unseen:
        below = children.get(unseen.pop(), [])
        found += below
        unseen += below
    return found


def signal_all(number: signal.Signals) -> None:
    for pid in descendants(os.getpid()):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def end_all() -> None:
    """Kill and reap until there is nobody left: what forks meanwhile is met in the next round."""
    while True:
        signal_all(signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _parents() -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    for entry in os.listdir("/proc"):  # noqa: PTH208 - names are all that is wanted
        if not entry.isdigit():
            continue
        with contextlib.suppress(OSError):
            # A command's name may hold spaces and brackets: the fields begin after the last one.
            fields = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
            pairs.append((int(entry), int(fields[1])))
    return pairs
