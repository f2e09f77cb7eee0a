"""The agent's reasoning while it grows: said again each time it has doubled, and at the end."""

from collections.abc import Iterator
from typing import Final

from sandbox_bridge.harness import bounds
from sandbox_bridge.redaction import Redactor, Stream
from shared.protocol.events import Reasoning

_FIRST: Final = 200
_MOST_BYTES: Final = 14_000


class Thoughts:
    """Doubling keeps a long thought visible while all that is sent stays under twice its length."""

    def __init__(self, prompt: int, part: str, redact: Redactor) -> None:
        self._prompt = prompt
        self._part = part
        self._text = ""
        self._redact = redact
        self._stream = Stream(redact)
        self._next = _FIRST
        self._final = False

    def grow(self, delta: str) -> Iterator[Reasoning]:
        self._text += self._stream.feed(delta)
        if not self._final and len(self._text) >= self._next:
            self._next = 2 * len(self._text)
            yield self._said()

    def finish(self, text: str) -> Iterator[Reasoning]:
        if not self._final and text:
            self._text = self._redact(bounds.clean(text))
            yield self._said()
        self._final = True

    def _said(self) -> Reasoning:
        text = bounds.cut(self._text, _MOST_BYTES)
        return Reasoning(prompt=self._prompt, part=self._part, text=text)
