"""The agent's words as they stream in: whole lines out, nothing said twice.

Deltas append to a part; a whole `text` repeats the part so far, or all of it at the end. A line
goes out when it ends, when something else has to be said, or, where there is a width, when it is
wide enough to be wrapped; the rest stays `open`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from shared.client.lines import Line, cells
from shared.client.untrusted import clean


@dataclass(frozen=True, slots=True)
class Prose:
    width: int | None = None
    """Of the terminal, to wrap at; None: lines are as long as they were written."""
    open: str = ""
    part: str = ""
    said: Mapping[str, str] = field(default_factory=dict[str, str])
    """What was said of each part, also of those that are over: a repetition is recognised."""


type Told = tuple[Prose, tuple[Line, ...]]


def more(prose: Prose, part: str, delta: str) -> Told:
    ended, lines = (prose, ()) if part == prose.part else end_line(prose)
    said = {**ended.said, part: ended.said.get(part, "") + delta}
    *whole, rest = (ended.open + delta).split("\n")
    wrapped, rest = _wrapped(rest, prose.width)
    texts = (*(line for text in whole for line in _lines(text, prose.width)), *wrapped)
    after = replace(ended, part=part, said=said, open=rest)
    return after, (*lines, *map(Line, texts))


def whole(prose: Prose, part: str, text: str, *, final: bool) -> Told:
    after, lines = more(prose, part, _unsaid(prose.said.get(part, ""), text))
    if not final:
        return after, lines
    over, last = end_line(after)
    return replace(over, said={**over.said, part: text}), (*lines, *last)


def end_line(prose: Prose) -> Told:
    """Say what is open: something else comes next."""
    if not prose.open.strip():
        return replace(prose, open=""), ()
    return replace(prose, open=""), (Line(clean(prose.open)),)


def _unsaid(said: str, text: str) -> str:
    """What of the whole text is new.

    Somebody who joined in the middle has heard its end only: that is not repeated either. A text
    that does not go on from what was said replaces it, and is said anew.
    """
    if text.startswith(said):
        return text[len(said) :]
    if not said.strip():
        return text
    if text.strip().endswith(said.strip()):
        return ""
    return f"\n{text}"


def _lines(text: str, width: int | None) -> tuple[str, ...]:
    wrapped, rest = _wrapped(text, width)
    return (*wrapped, clean(rest))


def _wrapped(text: str, width: int | None) -> tuple[list[str], str]:
    """The rows that are full, cut between words, and what is left for the next one."""
    rows: list[str] = []
    while width is not None and (row := _row(text, width)):
        rows.append(clean(row))
        text = text[len(row) :].lstrip(" ")
    return rows, text


def _row(text: str, width: int) -> str:
    """The first row of a text that is too wide for one; a single long word is not cut."""
    used, last_space = 0, 0
    for index, char in enumerate(text):
        if char == " " and text[:index].strip():
            last_space = index
        used += cells(char)
        if used > width and last_space:
            return text[:last_space]
    return ""
