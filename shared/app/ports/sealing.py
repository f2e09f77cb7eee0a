"""Closing values so that only a key we cannot read opens them, and only where they belong."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from shared.domain.errors import Rejected, Unavailable


class Unsealable(Rejected):
    """Nobody can open this: it is of another place, it was altered, or its key is gone."""

    code: ClassVar[str] = "unsealable"


class SecretsUnavailable(Unavailable):
    """The same may work later. Step Functions knows it by this name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """One value, closed. All but `key_id` is base64."""

    key_id: str
    """Of the key by which `wrapped_key` is opened."""
    wrapped_key: str
    nonce: str
    text: str = field(repr=False)


class Sealer(Protocol):
    def seal(self, context: str, values: Mapping[str, str]) -> Mapping[str, Sealed]:
        """By name, all under one fresh key. Raises `SecretsUnavailable`, `Unsealable`."""
        ...

    def open(self, context: str, sealed: Mapping[str, Sealed]) -> Mapping[str, str]:
        """All of them, or none: raises `SecretsUnavailable`, `Unsealable`."""
        ...
