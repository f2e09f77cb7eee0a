"""Lines on the standard output, and under them, on a terminal, rows that are drawn over."""

import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TextIO

from shared.client.lines import Line, Tone, cut

_PAINT = {Tone.DIM: "2", Tone.GOOD: "32", Tone.BAD: "31", Tone.STRONG: "1"}
_ERASE_ROW = "\r\x1b[K"
_ROW_ABOVE = "\x1b[1A"


@dataclass(slots=True)
class Screen:
    out: TextIO
    err: TextIO
    live: bool
    """Whether rows can be drawn over: a terminal that knows how."""
    colour: bool
    _rows: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        return max(shutil.get_terminal_size().columns - 1, 10)

    def show(self, lines: Iterable[Line]) -> None:
        """Each line at once: a pipe's reader is somebody who waits, too.

        In place of the rows, which were about the time before.
        """
        self._erase()
        for line in lines:
            self.out.write(f"{self._painted(line)}\n")
            self.out.flush()

    def note(self, text: str) -> None:
        """About the command, not of its result."""
        rows = self._rows
        self._erase()
        self.out.flush()
        self.err.write(f"{text}\n")
        self.err.flush()
        self.draw(rows)

    def draw(self, rows: tuple[str, ...]) -> None:
        if not self.live:
            return
        self._erase()
        self._rows = tuple(cut(row.replace("\t", " "), self.width) for row in rows)
        self.out.write("\n".join(self._painted(Line(row, Tone.DIM)) for row in self._rows))
        self.out.flush()

    def close(self) -> None:
        self._erase()
        self.out.flush()

    def _erase(self) -> None:
        if self._rows:
            self.out.write(_ERASE_ROW + (_ROW_ABOVE + _ERASE_ROW) * (len(self._rows) - 1))
        self._rows = ()

    def _painted(self, line: Line) -> str:
        paint = _PAINT.get(line.tone) if self.colour else None
        return f"\x1b[{paint}m{line.text}\x1b[0m" if paint and line.text else line.text


def screen(out: TextIO, err: TextIO, environment: Mapping[str, str]) -> Screen:
    terminal = out.isatty() and environment.get("TERM", "dumb") != "dumb"
    return Screen(out, err, live=terminal, colour=terminal and not environment.get("NO_COLOR"))


def leave_quietly(out: TextIO) -> None:
    """The reader of the pipe has gone: nothing more can be said, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
