"""What code hosts offer to work on, as JSON. `as_of`: when the host said so; null of nothing."""

from datetime import datetime
from typing import Annotated

from annotated_types import MaxLen
from pydantic import StringConstraints

from shared.protocol.base import Identifier, Strict

type Word = Annotated[str, StringConstraints(min_length=1, max_length=100)]


class ForgeRepositoryView(Strict):
    url: str
    full_name: str
    description: str
    default_branch: str
    private: bool
    archived: bool


class ForgeProblem(Strict):
    """A host that has not answered.

    `listed_at`: what is listed of it is from then; null: nothing is. `retry_at`: not to be asked
    again before; null where the host did not say.
    """

    host: str
    message: str
    listed_at: datetime | None
    retry_at: datetime | None


class ForgeRepositoryList(Strict):
    """Of the hosts that answer; those that do not are in `problems`."""

    repositories: list[ForgeRepositoryView]
    as_of: datetime | None
    problems: list[ForgeProblem] = []


class BranchView(Strict):
    name: str
    commit: str


class BranchList(Strict):
    branches: list[BranchView]
    as_of: datetime | None


class NewRepositoryAbout(Strict):
    description: Annotated[str, StringConstraints(max_length=2_000)] = ""
    aliases: Annotated[list[Word], MaxLen(20)] = []
    keywords: Annotated[list[Word], MaxLen(50)] = []
    environment: Identifier | None = None
    """The id of the one that sessions get when nobody chooses."""


class RepositoryAboutView(Strict):
    repository: str
    description: str
    aliases: list[str]
    keywords: list[str]
    environment: str | None
