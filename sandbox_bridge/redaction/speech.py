"""What a program says to nobody in particular: hidden before it is written or cut."""

import codecs
import io
from typing import TextIO

from sandbox_bridge.redaction.redactor import Redactor
from sandbox_bridge.redaction.stream import Stream


class Speech(io.TextIOBase):
    """Stands before `under`, a program's own standard error for one.

    What may be the beginning of a secret waits for what follows, whoever flushes, until `end`.
    It has no descriptor: what is written past it would not be looked through.
    """

    def __init__(self, under: TextIO, redact: Redactor) -> None:
        super().__init__()
        self._under = under
        self._stream = Stream(redact)

    def writable(self) -> bool:
        return True

    def write(self, said: str, /) -> int:
        self._under.write(self._stream.feed(said))
        return len(said)

    def flush(self) -> None:
        self._under.flush()

    def end(self) -> None:
        """Nothing more is said."""
        self._under.write(self._stream.flush())
        self._under.flush()


class LastWords:
    """The end, of `most` characters, of what another program said."""

    def __init__(self, redact: Redactor, most: int) -> None:
        self._stream = Stream(redact)
        self._decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        self._most = most
        self._kept = ""

    def hear(self, piece: bytes) -> None:
        self._keep(self._stream.feed(self._decode(piece)))

    def end(self) -> str:
        """Nothing more is heard."""
        self._keep(self._stream.feed(self._decode(b"", final=True)))
        self._keep(self._stream.flush())
        return self._kept

    def _keep(self, shown: str) -> None:
        self._kept = (self._kept + shown)[-self._most :]
