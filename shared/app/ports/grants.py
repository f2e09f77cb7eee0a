"""What lets us act for people at providers, as it is kept: sealed, one for each."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from shared.domain.session.state import UserId


class Seal(Protocol):
    """Only what was sealed for a context opens for it."""

    def seal(self, context: str, plain: bytes) -> bytes: ...

    def open(self, context: str, sealed: bytes) -> bytes:
        """Raises `Unavailable`, also for what does not open."""
        ...


@dataclass(frozen=True, slots=True)
class KeptGrant:
    """`version` is another with each write: who swaps says which one they have seen."""

    user: UserId
    provider: str
    version: str
    sealed: str
    """In base64."""
    kept_at: datetime
    refreshing_until: datetime | None = None
    """Somebody asks for a new one; until then nobody else does."""
    ended: Literal["refresh refused"] | None = None
    """It is good for nothing more: this person has to sign in there again."""


class Grants(Protocol):
    def get(self, user: UserId, provider: str) -> KeptGrant | None: ...

    def put(self, grant: KeptGrant) -> None:
        """Whatever was there: a new sign-in is newer than anything."""
        ...

    def forget(self, user: UserId, provider: str) -> None:
        """What is kept. Safe to repeat. Raises `Contended` when it is renewed meanwhile."""
        ...

    def swap(self, version: str, grant: KeptGrant) -> bool:
        """Whether it was this version, or a repetition of this very call."""
        ...
