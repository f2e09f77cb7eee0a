"""Commits what the agent left uncommitted, in the name of the prompt's author.

Tracked files as they are now, and new ones, except what `.gitignore` or our own list of litter
names. The agent's own commits are not touched.
"""

import re
from dataclasses import dataclass
from typing import Final

from sandbox_bridge.git import litter, submodules
from sandbox_bridge.git.author import Author
from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.command import COMMITTER, GitFailed

SUBJECT_CHARS = 72

_NOT_IN_A_LINE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
"""Git refuses a message with a null byte, and the rest drives the terminals that show a log."""

_UNFINISHED: Final = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "BISECT_LOG": "a bisection",
}


@dataclass(frozen=True, slots=True)
class Commit:
    """`commit` is None when there was nothing to commit. `notes`: what was left out, and why."""

    commit: str | None = None
    files: int = 0
    notes: tuple[str, ...] = ()


async def commit_leftovers(checkout: Checkout, author: Author, message: str) -> Commit:
    """Raises `GitFailed`; the files are left as they are then."""
    await _require_nothing_unfinished(checkout)
    notes = (*await _stage_tracked(checkout), *await _stage_new(checkout))
    if await checkout.git.succeeds("diff", "--cached", "--quiet"):
        return Commit(notes=notes)
    await checkout.git(
        *("commit", "--quiet", "--no-verify", "--no-gpg-sign", "--cleanup=verbatim"),
        *("--file", "-"),
        stdin=message.encode(errors="replace"),
        variables={**COMMITTER, **author.variables},
    )
    made = await checkout.git.line("rev-parse", "HEAD")
    return Commit(made, await _files_in(checkout, made), notes)


def message(prompt: str, session: str, number: int) -> str:
    """The first line of the prompt, and where the rest of it is."""
    lines = (_NOT_IN_A_LINE.sub("", line).strip() for line in prompt.splitlines())
    subject = next((line for line in lines if line), f"Prompt {number}")
    return f"{_cut(subject)}\n\nOutboard session {session}, prompt {number}.\n"


def _cut(subject: str) -> str:
    if len(subject) <= SUBJECT_CHARS:
        return subject
    whole_words = subject[: SUBJECT_CHARS - 1].rpartition(" ")[0]
    return (whole_words or subject[: SUBJECT_CHARS - 1]) + "…"


async def _require_nothing_unfinished(checkout: Checkout) -> None:
    git = checkout.git.directory / await checkout.git.line("rev-parse", "--git-dir")
    begun = [what for name, what in _UNFINISHED.items() if (git / name).exists()]
    if not begun and await checkout.git("ls-files", "--unmerged", "-z"):
        begun = ["a merge with conflicts"]
    if begun:
        raise GitFailed(f"{begun[0]} is unfinished: nothing was committed, the files are kept")


async def _stage_tracked(checkout: Checkout) -> list[str]:
    held_back = await submodules.unpublished(checkout)
    if held_back:
        await checkout.git("--literal-pathspecs", "reset", "--quiet", "--", *held_back)
    exclude = [f":(top,literal,exclude){path}" for path in held_back]
    await checkout.git("add", "--update", "--", ":/", *exclude)
    return [f"{path!r} is at a commit that only this sandbox has: left out" for path in held_back]


async def new_paths(checkout: Checkout) -> list[bytes]:
    """What git does not track and is worth it. A directory, `/` at its end, is a repository."""
    excludes = [f"--exclude={pattern}" for pattern in litter.PATTERNS]
    listing = await checkout.git("ls-files", "--others", "-z", "--exclude-standard", *excludes)
    return litter.without_marked(path for path in listing.split(b"\0") if path)


async def _stage_new(checkout: Checkout) -> list[str]:
    paths = await new_paths(checkout)
    files = [path for path in paths if not path.endswith(b"/")]
    await checkout.git(
        "update-index",
        "--add",
        "--remove",
        "-z",
        "--stdin",
        stdin=b"".join(f + b"\0" for f in files),
    )
    return [
        f"{path.decode(errors='replace')!r} is a repository of its own: left out"
        for path in paths
        if path.endswith(b"/")
    ]


async def _files_in(checkout: Checkout, commit: str) -> int:
    listing = await checkout.git(
        "diff-tree", "--no-commit-id", "--name-only", "-r", "-z", "--root", commit
    )
    return listing.count(b"\0")
