"""Environments, as JSON: named sets of repositories that sessions are opened from."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from shared.domain.environment import MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS
from shared.domain.session.state import MAX_REPOSITORIES
from shared.protocol.api import NewRepository, RepositoryView
from shared.protocol.base import Identifier, Strict

type EnvironmentName = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_NAME_CHARS, pattern=r"^[^\x00-\x1f]+$")
]
type Description = Annotated[str, StringConstraints(max_length=MAX_DESCRIPTION_CHARS)]


class NewEnvironment(Strict):
    """`request_id` makes asking twice asking once."""

    request_id: Identifier
    name: EnvironmentName
    description: Description = ""
    repositories: list[NewRepository] = Field(min_length=1, max_length=MAX_REPOSITORIES)
    """The first one is the primary."""


class NewEnvironmentOfSession(Strict):
    """Of the repositories that the session has, with the branches it was opened on."""

    request_id: Identifier
    name: EnvironmentName
    description: Description = ""


class EnvironmentChange(Strict):
    """All of it. `version` is the one that was read."""

    version: Identifier
    name: EnvironmentName
    description: Description = ""
    repositories: list[NewRepository] = Field(min_length=1, max_length=MAX_REPOSITORIES)


class EnvironmentView(Strict):
    id: str
    name: str
    description: str
    repositories: list[RepositoryView]
    version: str
    created_at: datetime
    created_by: str
    updated_at: datetime
    updated_by: str


class EnvironmentList(Strict):
    """By name."""

    environments: list[EnvironmentView]


class EnvironmentDeleted(Strict):
    """Also when it was gone already."""

    id: str
