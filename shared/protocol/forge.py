"""What code hosts offer to work on, as JSON. `as_of`: when the host said so; null of nothing."""

from datetime import datetime

from shared.protocol.base import Strict


class ForgeRepositoryView(Strict):
    url: str
    full_name: str
    description: str
    default_branch: str
    private: bool
    archived: bool


class ForgeRepositoryList(Strict):
    repositories: list[ForgeRepositoryView]
    as_of: datetime | None


class BranchView(Strict):
    name: str
    commit: str


class BranchList(Strict):
    branches: list[BranchView]
    as_of: datetime | None
