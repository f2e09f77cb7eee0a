"""What git lists of a comparison, read: which files differ, how, and by how many lines.

The records end with null bytes, so no name can be taken for anything else.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from shared.protocol.changes import FileStatus

_SUBMODULE: Final = "160000"
_COUNTED: Final = re.compile(rb"(\d+|-)\t(\d+|-)\t(.*)", re.DOTALL)
_STATUSES: Final[dict[str, FileStatus]] = {
    "A": "added",
    "C": "added",
    "D": "deleted",
    "M": "modified",
    "R": "renamed",
    "T": "type_changed",
    "U": "unmerged",
}


@dataclass(frozen=True, slots=True)
class Change:
    """A file, by its name in bytes. Lines are not counted where git takes it for no text.

    `before`: the object that it was; None: there was none.
    """

    path: bytes
    status: FileStatus
    old_path: bytes | None = None
    before: str | None = None
    additions: int | None = None
    deletions: int | None = None

    @property
    def paths(self) -> tuple[bytes, ...]:
        return (self.path,) if self.old_path is None else (self.old_path, self.path)


def changes(output: bytes) -> list[Change]:
    """Of `git diff --raw --numstat -z`, in the order of their names. Raises `ValueError`."""
    tokens = iter(output.removesuffix(b"\0").split(b"\0") if output else ())
    found: dict[bytes, Change] = {}
    for token in tokens:
        if token.startswith(b":"):
            change = _listed(token, tokens)
            found.setdefault(change.path, change)
        else:
            _count(token, tokens, found)
    return [found[path] for path in sorted(found)]


def _listed(head: bytes, tokens: Iterator[bytes]) -> Change:
    """`:<mode> <mode> <object> <object> <status>`, then its name, or the old and the new one."""
    old_mode, new_mode, before, _, letter = head.decode().removeprefix(":").split(" ")
    renamed = letter[0] in {"R", "C"}
    first = _next(tokens)
    path = _next(tokens) if renamed else first
    status = _STATUSES.get(letter[0], "modified")
    if _SUBMODULE in {old_mode, new_mode} and status != "unmerged":
        status = "submodule"
    return Change(
        path=path,
        status=status,
        old_path=first if letter[0] == "R" else None,
        before=before if before.strip("0") else None,
    )


def _count(token: bytes, tokens: Iterator[bytes], found: dict[bytes, Change]) -> None:
    """Added, deleted and the name, with tabs between; two names are behind an empty one."""
    counted = _COUNTED.fullmatch(token)
    if counted is None:
        raise ValueError("git lists something else")
    added, deleted, path = counted.groups()
    if not path:
        _next(tokens)
        path = _next(tokens)
    if path in found and added != b"-":
        known = found[path]
        found[path] = replace(known, additions=int(added), deletions=int(deleted))


def _next(tokens: Iterator[bytes]) -> bytes:
    found = next(tokens, None)
    if found is None:
        raise ValueError("git lists less than it says")
    return found


def patches(output: bytes) -> list[bytes]:
    """Of `git diff --patch`: each file's own. No line of a content begins as its head does."""
    pieces = (b"\n" + output).split(b"\ndiff --git ")
    return [b"diff --git " + piece.removesuffix(b"\n") + b"\n" for piece in pieces[1:]]
