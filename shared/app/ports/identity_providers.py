"""Who says who somebody is: GitHub today, any provider of OAuth with PKCE by the same seam."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Grant:
    """What lets us act for somebody there. None: it has no end, or cannot be refreshed."""

    access_token: str = field(repr=False)
    access_until: datetime | None = None
    refresh_token: str | None = field(default=None, repr=False)
    refresh_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """`id` never changes; `login` may, and may be somebody else's afterwards."""

    id: str
    login: str
    name: str
    emails: tuple[str, ...] = ()
    """Only those that the provider has verified."""
    organisations: tuple[str, ...] = ()
    """Of those that were asked about."""


class IdentityProvider(Protocol):
    def address(self, *, state: str, challenge: str, back: str) -> str:
        """Where a browser is sent. `challenge` is S256 of the verifier, `back` our callback."""
        ...

    def exchange(self, code: str, *, verifier: str, back: str) -> Grant:
        """Raises `Unauthenticated` for a code that is used, expired or not for this verifier;
        `Unavailable`, also when the provider does not take our own secret.
        """
        ...

    def refresh(self, refresh_token: str) -> Grant | None:
        """None: it is used, expired or taken back. Raises `Unavailable`: it may be used now."""
        ...

    def person(self, grant: Grant, organisations: Collection[str]) -> Person:
        """Which of `organisations` they are an active member of is asked, too.

        Raises `Unauthenticated`, `Unavailable`.
        """
        ...
