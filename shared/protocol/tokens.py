"""Counts of tokens, as the bridge sums them up and everybody else is shown them."""

from collections.abc import Mapping

from shared.domain.tokens import Tokens
from shared.protocol.base import Tolerant


class TokenCounts(Tolerant):
    """`input` was read anew, `cached` from the provider's cache; `output` includes reasoning."""

    input: int = 0
    output: int = 0
    cached: int = 0


def counts(tokens: Tokens) -> TokenCounts:
    return TokenCounts(input=tokens.input, output=tokens.output, cached=tokens.cached)


def of_counts(told: TokenCounts) -> Tokens:
    return Tokens(input=told.input, output=told.output, cached=told.cached)


def of_step(told: Mapping[str, int]) -> Tokens:
    """Of what a harness says of one model call, by the names that `StepFinished` has for it."""
    return Tokens(
        input=told.get("input", 0) + told.get("cache_write", 0),
        output=told.get("output", 0) + told.get("reasoning", 0),
        cached=told.get("cache_read", 0),
    )
