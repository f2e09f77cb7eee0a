"""Files as layers: copies that sandboxes stand on, and how overlaid ones become one plain tree.

A layer is what an overlay's upper directory was: files, whiteouts (character devices 0/0) for what
was deleted, and directories marked opaque, under which nothing lower shows.
"""

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

KEPT = ("home", "workspace", "var")
"""Of a sandbox's files, these outlive a pause and are what a snapshot holds."""

_OPAQUE = "user.overlay.opaque"


class CopyFailed(Exception):
    """Some file could not be read or written; nothing partial is kept."""


def copy(source: Path, target: Path) -> None:
    """What is kept of a sandbox's files; nobody may write meanwhile."""
    target.mkdir()
    for name in KEPT:
        if (source / name).is_dir() and not (source / name).is_symlink():
            _copy(source / name, target / name)


def flatten(layers: Sequence[Path], target: Path) -> None:
    """One plain tree of what an overlay of `layers` (lowest first) would show."""
    target.mkdir()
    for layer in layers:
        for above in _entries(layer):
            _clear(target / above.relative_to(layer), above)
        _copy(layer, target)
    for path in _entries(target):
        if _is_whiteout(path):
            path.unlink()


def give(tree: Path, owner: int) -> None:
    """For root alone. Nobody may be at work in it."""
    for path in (tree, *_entries(tree)):
        os.chown(path, owner, owner, follow_symlinks=False)


def _clear(below: Path, above: Path) -> None:
    """Make way for an entry of a higher layer."""
    if not os.path.lexists(below):
        return
    both_directories = _is_directory(below) and _is_directory(above)
    if both_directories and not _is_opaque(above):
        return
    if _is_directory(below):
        shutil.rmtree(below)
    else:
        below.unlink()


def _copy(source: Path, target: Path) -> None:
    # cp keeps owners, times, links, sparseness and overlay marks, and shares blocks where it can.
    command = ["cp", "--archive", "--reflink=auto", "--no-target-directory", source, target]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        raise CopyFailed(done.stderr.decode(errors="replace").strip()[-500:])


def _entries(root: Path) -> Iterator[Path]:
    for directory, directories, files in root.walk():
        for name in (*directories, *files):
            yield directory / name


def _is_directory(path: Path) -> bool:
    return stat.S_ISDIR(path.lstat().st_mode)


def _is_whiteout(path: Path) -> bool:
    status = path.lstat()
    return stat.S_ISCHR(status.st_mode) and status.st_rdev == 0


def _is_opaque(path: Path) -> bool:
    try:
        return os.getxattr(path, _OPAQUE, follow_symlinks=False) == b"y"
    except OSError:
        return False
