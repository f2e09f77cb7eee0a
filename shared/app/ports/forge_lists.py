"""What a code host last answered, kept for the next who asks and for when it does not answer."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.app.ports.forges import Branch, ForgeRepository


@dataclass(frozen=True, slots=True)
class Kept:
    """One of the two lists; `as_of` is when the host gave it."""

    as_of: datetime
    repositories: tuple[ForgeRepository, ...] = ()
    branches: tuple[Branch, ...] = ()


class ForgeListStore(Protocol):
    """Best effort: a list that is too long is not kept, and one may be gone at any time."""

    def get(self, name: str) -> Kept | None: ...

    def put(self, name: str, kept: Kept, expires_at: datetime) -> None: ...
