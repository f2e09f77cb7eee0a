"""A pseudo-terminal with the command line on it, and what one would see there."""

import os
import pty
import re
import struct
import termios
from fcntl import ioctl

from tests.shared.client.outboard import DEADLINE, Outboard


class Terminal:
    def __init__(self, outboard: Outboard, *words: str, columns: int) -> None:
        self._master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        outboard.environment |= {"TERM": "xterm"}
        self._process = outboard.start(*words, stdout=slave)
        os.close(slave)
        self.written = ""

    def read_until(self, pattern: str) -> None:
        while re.search(pattern, self.written) is None:
            self.written += os.read(self._master, 4096).decode()

    def end(self) -> int:
        try:
            while piece := os.read(self._master, 4096):
                self.written += piece.decode()
        except OSError:
            pass  # how Linux says that the other side has closed
        os.close(self._master)
        assert self._process.stderr is not None
        self._process.stderr.close()
        return self._process.wait(DEADLINE)


def drawn(written: str) -> list[str]:
    """What a terminal shows: a model of the few sequences that are used."""
    rows, at = [""], 0
    uncoloured = re.sub(r"\x1b\[[0-9;]*m", "", written)
    for piece in uncoloured.replace("\x1b[K", "\x00").replace("\x1b[1A", "\x01"):
        match piece:
            case "\n":
                at += 1
                rows += [""] * (at + 1 - len(rows))
            case "\x01":
                at -= 1
            case "\r":
                pass
            case "\x00":
                rows[at] = ""
            case _:
                rows[at] += piece
    return rows
