"""Personal access tokens: several of a user, each with a name, a scope and an end of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from shared.domain.access import Scope
from shared.domain.session.state import UserId


@dataclass(frozen=True, slots=True)
class AccessToken:
    """Without its secret, which only whoever made it has; here is its hash."""

    id: str
    user: UserId
    name: str
    scope: Scope
    created_at: datetime
    expires_at: datetime
    token_hash: str
    last_used: str | None = None
    """The day, as `YYYY-MM-DD` in UTC."""


class AccessTokens(Protocol):
    def add(self, token: AccessToken) -> None:
        """Its id is random: the same one again is the same token."""
        ...

    def get(self, user: UserId, token_id: str) -> AccessToken | None:
        """Expired or not."""
        ...

    def of(self, user: UserId) -> Sequence[AccessToken]:
        """The oldest first, expired ones too as long as they are there."""
        ...

    def used(self, user: UserId, token_id: str, day: date) -> None:
        """Only forward, and never bringing back one that was revoked. Raises `Unavailable`."""
        ...

    def revoke(self, user: UserId, token_id: str) -> None:
        """Safe to repeat."""
        ...
