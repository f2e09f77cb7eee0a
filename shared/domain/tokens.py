"""What models have read and written, counted in tokens."""

from dataclasses import dataclass, fields
from typing import Self

MAX_TOKENS = 10**12
"""Of one prompt: more than any model has ever been asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    input: int = 0
    """Read anew."""
    output: int = 0
    """Written, with what was only thought."""
    cached: int = 0
    """Read from the provider's cache, which is cheaper."""

    def __add__(self, other: Self) -> Self:
        return type(self)(
            input=self.input + other.input,
            output=self.output + other.output,
            cached=self.cached + other.cached,
        )

    @property
    def is_credible(self) -> bool:
        return all(0 <= getattr(self, field.name) <= MAX_TOKENS for field in fields(self))


NO_TOKENS = Tokens()
