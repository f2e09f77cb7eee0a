"""Compares a checkout's files as they are with where the session began, and changes nothing.

Git gets a copy of the index, in which new files are noted without being read, so what the agent has
staged stays as it is and no object is written. New files are those that a commit would take.
"""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sandbox_bridge.changes import listing
from sandbox_bridge.changes.listing import Change
from sandbox_bridge.git.checkout import BASE, Checkout
from sandbox_bridge.git.command import GitFailed
from sandbox_bridge.git.commit import new_paths
from shared.protocol.change_bundles import (
    MAX_FILES,
    MAX_PATCHES_BYTES,
    MAX_PATH_CHARS,
    BundledFile,
    BundledRepository,
)

LARGE_BYTES: Final = 2 * 1024 * 1024
"""A file of more is not read: git takes it for no text."""

MOST_NEW: Final = 10_000
_AT_ONCE: Final = 16

_CONFIGURED: Final = {
    "core.bigFileThreshold": str(LARGE_BYTES),
    "core.quotePath": "true",
    "diff.suppressBlankEmpty": "false",
    "diff.noprefix": "false",
    "diff.mnemonicPrefix": "false",
}
_DIFF: Final = (
    *("diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative", "-O/dev/null"),
    *("--ignore-submodules=dirty", "--submodule=short"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--inter-hunk-context=0"),
)
_RENAMES: Final = ("--find-renames", "-l400")


async def compare(checkout: Checkout) -> BundledRepository:
    """Raises `GitFailed`, `OSError`."""
    with TemporaryDirectory(prefix="outboard-changes-") as apart:
        comparison = await _prepared(checkout, Path(apart))
        new = await comparison.note_new()
        found = await comparison.changes()
        files = [await comparison.described(change) for change in found[:MAX_FILES]]
        patches = await comparison.patches(found[:MAX_FILES])
    return BundledRepository(
        name=checkout.name,
        base=comparison.base,
        head=comparison.head,
        files=[_with_patch(file, patches.get(index)) for index, file in enumerate(files)],
        additions=sum(change.additions or 0 for change in found),
        deletions=sum(change.deletions or 0 for change in found),
        left_out=len(found) - len(files) + max(0, new - MOST_NEW),
    )


async def _prepared(checkout: Checkout, apart: Path) -> "_Comparison":
    place = await checkout.git.line("rev-parse", "--git-path", "index")
    index = checkout.git.directory / place
    if index.exists():
        # With its time: git does not believe an entry that is as young as the index.
        shutil.copy2(index, apart / "index")
    head = await checkout.commit_at("HEAD")
    base = await _base(checkout, head)
    against = base or await checkout.git.line("hash-object", "-t", "tree", "--stdin")
    variables = {**await _written_apart(checkout, apart), **_configuration()}
    return _Comparison(checkout, against, base, head, variables)


async def _written_apart(checkout: Checkout, apart: Path) -> dict[str, str]:
    """To note a file is to write an empty object."""
    objects = await checkout.git.line("rev-parse", "--git-path", "objects")
    (apart / "objects").mkdir()
    return {
        "GIT_INDEX_FILE": str(apart / "index"),
        "GIT_OBJECT_DIRECTORY": str(apart / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str((checkout.git.directory / objects).resolve()),
        "GIT_LITERAL_PATHSPECS": "1",
    }


async def _base(checkout: Checkout, head: str | None) -> str | None:
    """Where what is here has left what the session began with: that may have moved on since."""
    pinned = await checkout.commit_at(BASE)
    if pinned is None or head is None:
        return pinned
    if not await checkout.git.succeeds("merge-base", pinned, head):
        return pinned
    return await checkout.git.line("merge-base", pinned, head)


def _configuration() -> dict[str, str]:
    """As git reads it from the environment: what the repository says of these does not count."""
    said = {"GIT_CONFIG_COUNT": str(len(_CONFIGURED))}
    for number, (key, value) in enumerate(_CONFIGURED.items()):
        said |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return said


@dataclass(frozen=True, slots=True)
class _Comparison:
    checkout: Checkout
    against: str
    base: str | None
    head: str | None
    variables: Mapping[str, str]

    async def _git(self, *arguments: str, stdin: bytes = b"") -> bytes:
        return await self.checkout.git(*arguments, stdin=stdin, variables=self.variables)

    async def note_new(self) -> int:
        """How many there are. One that goes away meanwhile makes git refuse: seen once more."""
        try:
            return await self._note_new()
        except GitFailed:
            return await self._note_new()

    async def _note_new(self) -> int:
        paths = [path for path in await new_paths(self.checkout) if not path.endswith(b"/")]
        if paths:
            await self._git(
                *("add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"),
                stdin=b"".join(path + b"\0" for path in paths[:MOST_NEW]),
            )
        return len(paths)

    async def changes(self) -> list[Change]:
        output = await self._git(*_DIFF, *_RENAMES, "--raw", "--numstat", "-z", self.against)
        try:
            found = listing.changes(output)
        except ValueError as error:
            raise GitFailed(str(error)) from error
        # Compared with a tree, one with conflicts is listed as any other.
        entries = (await self._git("ls-files", "--unmerged", "-z")).split(b"\0")
        unmerged = {entry.partition(b"\t")[2] for entry in entries}
        return [
            replace(change, status="unmerged") if change.path in unmerged else change
            for change in found
        ]

    async def described(self, change: Change) -> BundledFile:
        """Without its patch."""
        readable = change.additions is not None
        if readable:
            render = "metadata_only"
        else:
            render = "too_large" if await self._size(change) > LARGE_BYTES else "binary"
        return BundledFile(
            path=self._shown(change.path),
            old_path=None if change.old_path is None else self._shown(change.old_path),
            status=change.status,
            additions=change.additions,
            deletions=change.deletions,
            render=render,
        )

    async def _size(self, change: Change) -> int:
        """Of the larger one of what it was and what it is."""
        try:
            now = (self.checkout.git.directory / _text(change.path)).lstat().st_size
        except OSError:
            now = 0
        if now > LARGE_BYTES or change.before is None or change.status == "submodule":
            return now
        return max(now, int(await self.checkout.git.line("cat-file", "-s", change.before)))

    def _shown(self, path: bytes) -> str:
        return self.checkout.git.redact(path.decode(errors="replace"))[:MAX_PATH_CHARS]

    async def patches(self, found: Sequence[Change]) -> dict[int, str]:
        """By their place among the found, as many as a bundle could hold."""
        texts: dict[int, str] = {}
        size = 0
        wanted = [(place, each) for place, each in enumerate(found) if each.additions is not None]
        for start in range(0, len(wanted), _AT_ONCE):
            if size > MAX_PATCHES_BYTES:
                break
            some = await self._some(wanted[start : start + _AT_ONCE])
            for place, patch in some.items():
                texts[place] = self.checkout.git.redact(patch.decode(errors="replace"))
                size += len(patch)
        return texts

    async def _some(self, some: Sequence[tuple[int, Change]]) -> dict[int, bytes]:
        """Together where each is one piece for certain."""
        simple = [
            (at, each) for at, each in some if each.status in {"added", "deleted", "modified"}
        ]
        paths = [_text(each.path) for _, each in simple]
        pieces = listing.patches(await self._patch("--no-renames", paths=paths)) if paths else []
        if len(pieces) == len(simple):
            told = {at: piece for (at, _), piece in zip(simple, pieces, strict=True)}
        else:
            told = {}  # something has changed since it was listed
        for at, each in some:
            if at not in told:
                one = await self._patch(*_RENAMES, paths=map(_text, each.paths))
                told[at] = b"".join(listing.patches(one))
        return told

    async def _patch(self, *how: str, paths: Iterable[str]) -> bytes:
        return await self._git(*_DIFF, *how, "--unified=3", self.against, "--", *paths)


def _with_patch(file: BundledFile, patch: str | None) -> BundledFile:
    """One that is about nothing but the name or the mode is none to show."""
    if patch is None or "\n@@ " not in patch:
        return file
    return file.model_copy(update={"patch": patch, "render": "renderable"})


def _text(path: bytes) -> str:
    return path.decode(errors="surrogateescape")
