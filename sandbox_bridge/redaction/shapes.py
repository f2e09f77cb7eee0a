"""Secrets that are recognised by how they look, whoever's they are. Few, and unmistakable."""

import re
from collections.abc import Iterator
from typing import Final

from sandbox_bridge.redaction.forms import HIDDEN

LONGEST: Final = 1024
"""Of a token's own characters: what goes on after as many is no token."""

CONTEXT: Final = 3
"""Characters before a match that decide whether it is one."""

_TOKENS: Final = (
    ("ghs_", "[A-Za-z0-9._-]", 36, LONGEST),
    *((f"gh{kind}_", "[A-Za-z0-9]", 36, LONGEST) for kind in "pour"),
    ("github_pat_", "[A-Za-z0-9_]", 36, LONGEST),
    ("glpat-", "[A-Za-z0-9._-]", 20, LONGEST),
    ("sk-ant-", "[A-Za-z0-9_-]", 20, LONGEST),
    *((begin, "[A-Z0-9]", 16, 16) for begin in ("AKIA", "ASIA")),
)
"""How they begin, what follows, and how much of it at least and at most."""

_USER: Final = r"[^/\s@\"<>`\\]"
_MOST_OF_A_USER: Final = 512

_TOKEN: Final = re.compile(
    "|".join(f"{begin}{char}{{{least},{most}}}" for begin, char, least, most in _TOKENS)
)
# One in which something was hidden already stays, or to look twice would be to see otherwise.
_USER_IN_URL: Final = re.compile(
    rf"://(?!git@)((?:(?!{re.escape(HIDDEN)}){_USER}){{1,{_MOST_OF_A_USER}}})(?=@)"
)


def _begun(begin: str, more: str) -> Iterator[str]:
    yield begin + more
    yield from (begin[:length] for length in range(len(begin) - 1, 0, -1))


_BEGUN: Final = re.compile(
    "(?:{})\\Z".format(
        "|".join(
            pattern
            for begin, char, _, most in _TOKENS
            for pattern in _begun(begin, f"{char}{{0,{most - 1}}}")
        )
    )
)
_BEGUN_USER: Final = re.compile(rf"://({_USER}{{0,{_MOST_OF_A_USER}}})\Z")


def found(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Where from `start` on something looks like a secret."""
    yield from spans(_TOKEN, text, start)
    for match in _USER_IN_URL.finditer(text, max(0, start - CONTEXT)):
        if match.start(1) >= start:
            yield match.span(1)


def begun(text: str, start: int) -> int:
    """From where on the end of `text` may yet become one; its length if nothing may."""
    start = max(start, len(text) - LONGEST - max(len(begin) for begin, *_ in _TOKENS))
    token = _BEGUN.search(text, start)
    user = _BEGUN_USER.search(text, max(0, start - CONTEXT))
    at = min(token.start() if token else len(text), user.start(1) if user else len(text))
    return max(start, at)


def spans(pattern: re.Pattern[str], text: str, start: int) -> Iterator[tuple[int, int]]:
    """Of all that match, also those that begin inside another."""
    while match := pattern.search(text, start):
        yield match.span()
        start = match.start() + 1
