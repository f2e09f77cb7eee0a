"""Finds secrets in a text: one search for all forms of all of them, one for what looks like one."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, takewhile
from typing import Final

from sandbox_bridge.redaction import shapes
from sandbox_bridge.redaction.forms import HIDDEN, SHORTEST_SECRET, forms

_SECRET_NAME: Final = re.compile(
    "TOKEN|SECRET|KEY|PASS|CREDENTIAL|PRIVATE|AUTH(?!OR(?!I))|COOKIE|DSN", re.IGNORECASE
)


class Redactor:
    """Knows the secrets of an environment by name, the `others` and those that it learns.

    What overlaps is hidden as one, so no piece of a secret stays because another one began before.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        secret_names: Iterable[str] = (),
        others: Iterable[str] = (),
    ) -> None:
        told = frozenset(secret_names)
        named = (
            value
            for name, value in environment.items()
            if name in told or _SECRET_NAME.search(name)
        )
        self._forms = list[str]()
        self._know(form for secret in (*named, *others) for form in forms(secret))

    def learn(self, secret: str) -> None:
        """Hidden from now on, wherever it is said."""
        self._know(forms(secret))

    def __call__(self, text: str) -> str:
        return self.rest(text, 0)

    @property
    def longest(self) -> int:
        """Bytes of what may be hidden as one secret."""
        return self._longest_in_bytes

    @property
    def forms(self) -> int:
        """How many are looked for."""
        return len(self._forms)

    def rest(self, text: str, start: int) -> str:
        """From `start` on, where nothing more comes."""
        return _hidden(text, self._spans(text, start), start, len(text))

    def settled(self, text: str, start: int) -> tuple[str, int]:
        """From `start` on as far as nothing that may follow changes it, and how far that is."""
        spans = self._spans(text, start)
        end = min(self._begun(text, start), shapes.begun(text, start))
        end = next((begin for begin, over in spans if begin < end < over), end)
        return _hidden(text, [span for span in spans if span[1] <= end], start, end), end

    def so_far(self, text: str) -> str:
        """Of a text that will be told again with more: what is certain of it."""
        return self.settled(text, 0)[0]

    def _know(self, found: Iterable[str]) -> None:
        every = {*self._forms, *found}
        if self._forms and len(every) == len(self._forms):
            return
        self._forms = sorted(every)
        self._heads = {form[:SHORTEST_SECRET] for form in every}
        self._longest = max(map(len, every), default=0)
        in_bytes = (len(form.encode(errors="replace")) for form in every)
        self._longest_in_bytes = max(in_bytes, default=0)
        self._pattern = re.compile(_any_of(self._forms)) if every else None

    def _spans(self, text: str, start: int) -> list[tuple[int, int]]:
        known = shapes.spans(self._pattern, text, start) if self._pattern else ()
        return _united(sorted((*known, *shapes.found(text, start))))

    def _begun(self, text: str, start: int) -> int:
        """From where on the end of `text` may yet become a known secret."""
        for at in range(max(start, len(text) - self._longest + 1), len(text)):
            head = text[at : at + SHORTEST_SECRET]
            if len(head) == SHORTEST_SECRET and head not in self._heads:
                continue
            if self._goes_on(text[at:]):
                return at
        return len(text)

    def _goes_on(self, beginning: str) -> bool:
        at = bisect_left(self._forms, beginning)
        longer = [form for form in self._forms[at : at + 2] if form != beginning]
        return bool(longer) and longer[0].startswith(beginning)


def _united(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    united: list[tuple[int, int]] = []
    for start, end in spans:
        if united and start < united[-1][1]:
            united[-1] = (united[-1][0], max(end, united[-1][1]))
        else:
            united.append((start, end))
    return united


def _hidden(text: str, spans: Iterable[tuple[int, int]], start: int, end: int) -> str:
    pieces: list[str] = []
    for begin, over in spans:
        pieces += (text[start:begin], HIDDEN)
        start = over
    return "".join((*pieces, text[start:end]))


def _common(first: str, last: str) -> str:
    """The beginning of these two, and of all that are sorted between them."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return "".join(char for char, _ in same)


def _any_of(words: Sequence[str]) -> str:
    """A pattern for the longest of these that stands at a place; `words` are sorted, no two alike.

    What they have in common at their beginning is looked at once, so hundreds cost little more
    than one.
    """
    rest = words[1:] if words[0] == "" else words
    branches: list[str] = []
    for _, group in groupby(rest, key=lambda word: word[0]):
        alike = list(group)
        stem = _common(alike[0], alike[-1])
        branches.append(re.escape(stem) + _any_of([word[len(stem) :] for word in alike]))
    if not branches:
        return ""
    either = f"(?:{'|'.join(branches)})"
    return either if rest is words else f"{either}?"
