"""What a session has changed since it began: its newest comparison, and the patch of a file.

    GET  /sessions/{id}/changes                     ─▶ ChangesView
    GET  /sessions/{id}/changes/{revision}/{file}   ─▶ FilePatch, or `changes_stale`
    POST /sessions/{id}/changes/refresh             asks the sandbox to compare again

A sandbox compares after each turn and when it is asked to; `changes_updated` tells of a new
revision. Only the newest one is kept, also when the sandbox is gone.
"""

from datetime import datetime
from typing import Final, Literal

from shared.protocol.base import Strict

STALE: Final = "changes_stale"
"""The code of a refusal: there is a newer revision, whose files are to be asked for."""

type FileStatus = Literal[
    "added", "modified", "deleted", "renamed", "type_changed", "unmerged", "submodule"
]
type Render = Literal["renderable", "binary", "too_large", "metadata_only"]
"""Whether there is a patch to show, and if not, why. `metadata_only`: there is nothing to show but
that it changed, or no room was left for more.
"""


class ChangedFile(Strict):
    """`additions` and `deletions` are null where lines are not counted. `id` names its patch."""

    id: str
    path: str
    old_path: str | None
    status: FileStatus
    additions: int | None
    deletions: int | None
    render: Render


class ChangedRepository(Strict):
    """`base`: the commit it is compared with; null: it had none. `head`: what is checked out.

    `left_out`: how many more files changed than are listed. `error`: why nothing is known of it.
    """

    name: str
    base: str | None
    head: str | None
    files: list[ChangedFile]
    left_out: int
    error: str | None


class ChangeTotals(Strict):
    """Of all files, also of those that are not listed, as far as lines were counted."""

    files: int
    additions: int
    deletions: int


class ChangesView(Strict):
    """`revision` is null before the first comparison. `prompt`: the newest whose work is in it.

    `error`: why the last comparison failed; what is shown is the one before it. `truncated`: files
    or patches were left out for their number or size.
    """

    revision: str | None
    compared_at: datetime | None
    prompt: int | None
    repositories: list[ChangedRepository]
    totals: ChangeTotals
    truncated: bool
    error: str | None


class FilePatch(Strict):
    """A unified diff of one file, without secrets. Empty where there is none to show."""

    revision: str
    file: str
    patch: str


class RefreshAsked(Strict):
    """The sandbox has been asked. `revision` is what there was before."""

    revision: str | None
