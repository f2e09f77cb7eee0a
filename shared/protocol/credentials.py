"""Git's credentials, as a sandbox asks for them with the token of its attempt.

    POST /sandbox/git-credentials    NewGitCredential ─▶ GitCredential, or null: git needs none
    POST /sandbox/gh-credentials     NewGhCredential ─▶ GhCredential, or null: nothing is on GitHub

Both are good for one repository of the session; the second, when it names none, for all that the
owner of the first one has in the session.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import StringConstraints

from shared.protocol.base import Tolerant

MAX_URL_CHARS = 2_000

type GitOperation = Literal["read", "write"]


class NewGitCredential(Tolerant):
    """`url` as git has it; its user, if there is one, and a final `.git` say nothing.

    `refused`: the SHA-256 of a password that the host no longer took, in hex.
    """

    url: Annotated[str, StringConstraints(min_length=1, max_length=MAX_URL_CHARS)]
    operation: GitOperation
    refused: Annotated[str, StringConstraints(max_length=64)] | None = None


class NewGhCredential(Tolerant):
    url: Annotated[str, StringConstraints(min_length=1, max_length=MAX_URL_CHARS)] | None = None


class GitCredential(Tolerant):
    """`expires_at` None: it does not expire by itself."""

    username: str
    password: str
    expires_at: datetime | None = None


class GhCredential(Tolerant):
    host: str
    token: str
    expires_at: datetime | None = None
