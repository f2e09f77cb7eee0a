"""Who may sign in by way of a provider: whoever is in one of three lists.

Empty lists admit nobody.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Admission:
    """Everything is compared without regard to case, as providers do."""

    users: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    """Of e-mail addresses that the provider has verified; no subdomains."""
    organisations: frozenset[str] = frozenset()

    @classmethod
    def of(cls, users: str, domains: str, organisations: str) -> Self:
        """Each a list with commas."""
        return cls(_names(users), _names(domains), _names(organisations))

    def admits(self, login: str, emails: Iterable[str], organisations: Iterable[str]) -> bool:
        at = {email.rpartition("@")[2].casefold() for email in emails if "@" in email}
        member = {name.casefold() for name in organisations}
        return bool(
            login.casefold() in self.users or at & self.domains or member & self.organisations
        )


def _names(text: str) -> frozenset[str]:
    return frozenset(name for part in text.split(",") if (name := part.strip().casefold()))
