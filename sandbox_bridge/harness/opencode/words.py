"""A text of the agent while it grows, in pieces that fit into an event each."""

from collections.abc import Iterator
from typing import Final

from sandbox_bridge.harness import bounds
from sandbox_bridge.redaction import Redactor, Stream
from shared.protocol.events import Text, TextDelta

_PIECE_BYTES: Final = 14_000
_HIGH_SURROGATES: Final = ("\ud800", "\udbff")


class Words:
    """One text part of OpenCode: `<part>`, and when it is long `<part>.1`, `<part>.2` behind it.

    Where a piece ends depends on the text alone, so the whole text at the end has the same pieces
    as the deltas before it. Secrets are gone before: nobody would know the halves of one.
    """

    def __init__(self, prompt: int, part: str, redact: Redactor) -> None:
        self._prompt = prompt
        self._part = part
        self._pieces = [""]
        self._half = ""
        self._redact = redact
        self._stream = Stream(redact)
        self._final = False

    def __bool__(self) -> bool:
        return any(self._pieces)

    def grow(self, delta: str) -> Iterator[TextDelta | Text]:
        """More text; nothing once the whole is known."""
        if self._final:
            return
        more = self._stream.feed(self._whole_characters(delta))
        *full, open_piece = bounds.split(self._pieces[-1] + more, _PIECE_BYTES)
        for piece in full:
            self._pieces[-1] = piece
            yield self._text(len(self._pieces) - 1, final=True)
            self._pieces.append("")
        added = open_piece.removeprefix(self._pieces[-1])
        self._pieces[-1] = open_piece
        if added:
            yield TextDelta(
                prompt=self._prompt, part=self._name(len(self._pieces) - 1), delta=added
            )

    def finish(self, text: str) -> Iterator[Text]:
        """The whole text. What was said differently before is said again."""
        yield from self._close(self._redact(bounds.clean(text)))

    def end(self) -> Iterator[Text]:
        """Nothing more will come: what is there is the whole."""
        return self._close("".join(self._pieces) + self._stream.flush())

    def retract(self) -> Iterator[Text]:
        """The model will say it anew: nothing of it stays."""
        yield from self._close("")

    def _close(self, text: str) -> Iterator[Text]:
        if self._final:
            return
        self._final = True
        if not text and not self:
            return
        known, self._pieces = self._pieces, list(bounds.split(text, _PIECE_BYTES))
        closed = len(known) - 1
        self._pieces += [""] * (len(known) - len(self._pieces))
        for index, piece in enumerate(self._pieces):
            if index >= closed or piece != known[index]:
                yield self._text(index, final=True)

    def _whole_characters(self, delta: str) -> str:
        """JavaScript may send the two halves of a character in two deltas."""
        text, self._half = self._half + delta, ""
        if text and _HIGH_SURROGATES[0] <= text[-1] <= _HIGH_SURROGATES[1]:
            text, self._half = text[:-1], text[-1]
        return bounds.clean(text)

    def _text(self, index: int, *, final: bool) -> Text:
        return Text(
            prompt=self._prompt, part=self._name(index), text=self._pieces[index], final=final
        )

    def _name(self, index: int) -> str:
        return f"{self._part}.{index}" if index else self._part
