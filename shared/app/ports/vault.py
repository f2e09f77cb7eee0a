"""Where secrets are kept, sealed: one item each, and beside them what each scope has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.app.ports.sealing import Sealed
from shared.domain.secrets import Scope
from shared.domain.session.state import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """All that is ever told of a secret."""

    name: str
    size: int
    """Of its value, in bytes."""
    at: datetime
    by: UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    scope: Scope
    entries: tuple[Entry, ...] = ()
    """Sorted by name."""
    version: str | None = None
    """Another one after each change, and never an old one again. None: there never was any."""

    @property
    def names(self) -> frozenset[str]:
        return frozenset(entry.name for entry in self.entries)


class Vault(Protocol):
    def contents(self, scope: Scope) -> Contents:
        """Consistent."""
        ...

    def scopes(self) -> Sequence[Scope]:
        """Those that have secrets."""
        ...

    def sealed(self, scope: Scope) -> Mapping[str, Sealed]:
        """All that the scope's contents name, or none: raises `SecretsUnavailable`."""
        ...

    def change(self, before: Contents, after: Contents, put: Mapping[str, Sealed]) -> None:
        """What `put` has is written, what `after` no longer names is gone, all at once.

        Raises `Contended` when the scope is not as `before` has it.
        """
        ...
