"""Whose account at a provider is whose here, and sign-ins that are under way there."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.domain.session.state import UserId


@dataclass(frozen=True, slots=True)
class SignInUnderWay:
    """Kept under the hash of its `state`. Only the browser that began it can end it."""

    provider: str
    browser_hash: str
    expires_at: datetime


class Identities(Protocol):
    def user_of(self, provider: str, person_id: str) -> UserId | None: ...

    def link(self, provider: str, person_id: str, user: UserId) -> UserId:
        """Whose it is then: the first to link it keeps it."""
        ...

    def begin(self, state_hash: str, under_way: SignInUnderWay) -> None: ...

    def take(self, state_hash: str) -> SignInUnderWay | None:
        """Once, expired or not; whoever comes second gets None, as does a repeated request."""
        ...
