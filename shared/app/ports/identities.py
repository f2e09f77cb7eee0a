"""Whose an account at a provider is here."""

from typing import Protocol

from shared.domain.session.state import UserId


class Identities(Protocol):
    def user_of(self, provider: str, person_id: str) -> UserId | None: ...

    def link(self, provider: str, person_id: str, user: UserId) -> UserId:
        """Whose it is then: the first to link it keeps it."""
        ...

    def unlink(self, provider: str, person_id: str, user: UserId) -> None:
        """As far as it is this user's. Safe to repeat."""
        ...
