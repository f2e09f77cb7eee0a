"""Secrets as JSON. Values only go in: whatever comes back has names."""

from datetime import datetime
from typing import Annotated, Literal

from annotated_types import MaxLen, MinLen
from pydantic import Field, StringConstraints

from shared.domain.secrets import MAX_SCOPE_BYTES, MAX_SCOPE_SECRETS
from shared.protocol.base import Strict

type ScopeName = Literal["global", "repository", "environment"]
type Target = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
"""A repository's URL or an environment's id."""

MAX_TEXT_CHARS = 4 * MAX_SCOPE_BYTES


class NewSecrets(Strict):
    """Either `values` by name, or `text` as a `.env` file has it. What has a value gets this one.

    Neither is in what this shows of itself.
    """

    scope: ScopeName
    target: Target | None = None
    values: Annotated[dict[str, str], MaxLen(MAX_SCOPE_SECRETS)] | None = Field(
        default=None, repr=False
    )
    text: Annotated[str, StringConstraints(max_length=MAX_TEXT_CHARS)] | None = Field(
        default=None, repr=False
    )


class NewCopy(Strict):
    """Some of a repository's secrets to an environment that has it; nobody sees them."""

    environment: Target
    repository: Target
    names: Annotated[list[str], MinLen(1), MaxLen(MAX_SCOPE_SECRETS)]


class NewReading(Strict):
    """A `.env` file's text, to be told what it would set. Nothing of it is kept."""

    scope: ScopeName
    target: Target | None = None
    text: Annotated[str, StringConstraints(max_length=MAX_TEXT_CHARS)] = Field(repr=False)


class NewRotation(Strict):
    """A fresh key for the secrets of a scope; null: for those of each."""

    scope: ScopeName | None = None
    target: Target | None = None


class SecretView(Strict):
    name: str
    updated_at: datetime
    updated_by: str


class SecretList(Strict):
    """Those of one scope, sorted by name."""

    scope: ScopeName
    target: str | None
    secrets: list[SecretView]


class SecretLine(Strict):
    """`name`: what it would set, where that can be said; `problem`: why it would not."""

    line: int
    name: str | None
    replaces: bool
    problem: str | None


class SecretReading(Strict):
    """`problem`: what is wrong with all of it together. With any, nothing would be set."""

    lines: list[SecretLine]
    problem: str | None


class Rotated(Strict):
    scopes: list[SecretList]
