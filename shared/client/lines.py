"""A line on its way to a reader, and how wide text is on a terminal."""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum


class Tone(StrEnum):
    PLAIN = "plain"
    DIM = "dim"
    GOOD = "good"
    BAD = "bad"
    STRONG = "strong"


@dataclass(frozen=True, slots=True)
class Line:
    """Its text is clean: nothing in it drives a terminal, and it is one line."""

    text: str
    tone: Tone = Tone.PLAIN


def cells(text: str) -> int:
    return sum(map(_cells, text))


def cut(text: str, width: int) -> str:
    """As much as fits, with an ellipsis where something is missing."""
    if cells(text) <= width:
        return text
    used = 0
    for index, char in enumerate(text):
        used += _cells(char)
        if used > width - 1:
            return f"{text[:index]}…" if width > 0 else ""
    return text


def _cells(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in {"Cc", "Cf", "Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
