"""A text that comes in pieces: what may be the beginning of a secret waits for what follows."""

from sandbox_bridge.redaction.redactor import Redactor
from sandbox_bridge.redaction.shapes import CONTEXT


class Stream:
    """What `feed` and at last `flush` return is the redaction of all that was fed, whole."""

    def __init__(self, redact: Redactor) -> None:
        self._redact = redact
        self._text = ""
        self._start = 0
        """Where what was not returned begins; before it stands what decides about its beginning."""

    def feed(self, piece: str) -> str:
        text = self._text + piece
        shown, end = self._redact.settled(text, self._start)
        before = max(0, end - CONTEXT)
        self._text, self._start = text[before:], end - before
        return shown

    def flush(self) -> str:
        """Nothing more follows."""
        rest = self._redact.rest(self._text, self._start)
        self._text, self._start = "", 0
        return rest
