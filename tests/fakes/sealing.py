"""Seals that look like anything but their values, and open only where they belong."""

from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from shared.app.ports.sealing import Sealed, Unsealable


@dataclass
class FakeSealer:
    failure: Exception | None = None
    gone: set[str] = field(default_factory=set[str])
    """Wrapped keys that nobody can open any more."""
    opened: int = 0
    _numbers: Iterator[int] = field(default_factory=count)

    def seal(self, context: str, values: Mapping[str, str]) -> Mapping[str, Sealed]:
        self._fail()
        wrapped = f"key-{next(self._numbers)}"
        return {
            name: Sealed(
                key_id="fake", wrapped_key=wrapped, nonce="n", text=_closed(context, name, value)
            )
            for name, value in values.items()
        }

    def open(self, context: str, sealed: Mapping[str, Sealed]) -> Mapping[str, str]:
        self._fail()
        self.opened += 1
        return {name: self._one(context, name, one) for name, one in sealed.items()}

    def _one(self, context: str, name: str, sealed: Sealed) -> str:
        try:
            at, of, value = b64decode(sealed.text, validate=True).decode().split("\0", 2)
        except ValueError:
            raise Unsealable(f"the secret {name} cannot be opened") from None
        if sealed.wrapped_key in self.gone or (at, of) != (context, name):
            raise Unsealable(f"the secret {name} cannot be opened")
        return value

    def _fail(self) -> None:
        if self.failure is not None:
            raise self.failure


def _closed(context: str, name: str, value: str) -> str:
    return b64encode(f"{context}\0{name}\0{value}".encode()).decode()
