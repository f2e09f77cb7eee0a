"""Where the choices about sandboxes are kept: one value for everything, one for each repository."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.domain.repository_url import RepositoryKey
from shared.domain.sandbox_settings import SandboxSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What was chosen at one level, by whom and when."""

    repository: RepositoryKey | None
    """None: for everything."""
    settings: SandboxSettings
    version: str
    """Another one after each change, and never an old one again."""
    by: str
    at: datetime


class SettingsStore(Protocol):
    def get(self, repository: RepositoryKey | None) -> Chosen | None:
        """Consistent. None: nothing was ever chosen there."""
        ...

    def of_repositories(self) -> Sequence[Chosen]:
        """Sorted by repository."""
        ...

    def put(self, chosen: Chosen, *, instead_of: str | None) -> None:
        """Raises `Conflict` when that version is not the one there; None: there is none."""
        ...

    def remove(self, repository: RepositoryKey, version: str) -> None:
        """Gone is fine. Raises `Conflict` when another version is there."""
        ...
