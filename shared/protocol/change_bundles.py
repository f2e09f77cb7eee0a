"""What a sandbox hands in of its changes: one bundle, or why there is none.

    PUT /sandbox/changes    NewChanges ─▶ ChangesTaken

With the token of its attempt, like everything that a sandbox says over HTTP.
"""

from datetime import datetime
from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints

from shared.protocol.base import MAX_PROMPT, Tolerant
from shared.protocol.changes import FileStatus, Render

VERSION: Final = 1

MAX_FILES: Final = 1_000
MAX_PATCH_BYTES: Final = 512 * 1024
"""Of one file."""

MAX_PATCHES_BYTES: Final = 1024 * 1024
"""Of all files together."""

MAX_BUNDLE_BYTES: Final = 1_500_000
"""Of all of it as JSON, which escapes what a patch has of quotes and control characters."""

MAX_FAILURE_CHARS: Final = 2_000
MAX_PATH_CHARS: Final = 4_096
MAX_REPOSITORIES: Final = 100

type FilePath = Annotated[str, StringConstraints(min_length=1, max_length=MAX_PATH_CHARS)]
type Commit = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40,64}$")]
type Failure = Annotated[str, StringConstraints(min_length=1, max_length=MAX_FAILURE_CHARS)]


class BundledFile(Tolerant):
    """`patch` is empty unless it is `renderable`."""

    path: FilePath
    old_path: FilePath | None = None
    status: FileStatus
    additions: int | None = Field(ge=0, default=None)
    deletions: int | None = Field(ge=0, default=None)
    render: Render
    patch: Annotated[str, StringConstraints(max_length=MAX_PATCH_BYTES)] = ""


class BundledRepository(Tolerant):
    """`additions` and `deletions` are those of all files, `left_out` those that are not listed."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=300)]
    base: Commit | None = None
    head: Commit | None = None
    files: list[BundledFile] = Field(max_length=MAX_FILES, default=[])
    additions: int = Field(ge=0, default=0)
    deletions: int = Field(ge=0, default=0)
    left_out: int = Field(ge=0, default=0)
    error: Failure | None = None


class NewChanges(Tolerant):
    """With `error` it has no repositories, and what there was before is kept."""

    version: Literal[1] = VERSION
    compared_at: datetime
    prompt: int = Field(ge=0, le=MAX_PROMPT, default=0)
    """The newest whose work is in it; 0: none."""

    repositories: list[BundledRepository] = Field(max_length=MAX_REPOSITORIES, default=[])
    truncated: bool = False
    error: Failure | None = None


class ChangesTaken(Tolerant):
    """`changed`: there is something else to be seen than before."""

    revision: str | None
    changed: bool
