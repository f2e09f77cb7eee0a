"""Runs a repository's lifecycle script to its end, and keeps the end of what it said.

The end is that of the script's own process. A service that it left running keeps the pipe open and
writes to it for as long as it lives, so the pipe is read on, and never waited for.
"""

import asyncio
import errno
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sandbox_bridge.redaction import Redactor, tail
from sandbox_bridge.running import kill_group

KEPT_BYTES = 64 * 1024
READ_BYTES = 64 * 1024
LAST_READS = 16
CANNOT_RUN = 126
"""What a shell says of a program that is there and can't be run."""


@dataclass(frozen=True, slots=True)
class Ran:
    status: int
    tail: str


async def run_script(
    script: Path, *, within: Path, environment: Mapping[str, str], redact: Redactor
) -> Ran:
    """No time limit: the boot as a whole has one."""
    words = _Words()
    try:
        process = await _start(script, within, environment, words.writing_end)
    except OSError as error:  # its first line names a program that isn't there, for one
        words.drop()
        return Ran(CANNOT_RUN, error.strerror or str(error))
    finally:
        os.close(words.writing_end)
    words.follow()
    try:
        status = await process.wait()
    except asyncio.CancelledError:
        kill_group(process.pid)
        await process.wait()
        raise
    return Ran(status, words.tail(redact))


async def _start(
    script: Path, within: Path, environment: Mapping[str, str], output: int
) -> asyncio.subprocess.Process:
    async def start(*command: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *command,
            cwd=within,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )

    if not os.access(script, os.X_OK):
        return await start("bash", str(script))
    try:
        return await start(str(script))
    except OSError as error:
        if error.errno != errno.ENOEXEC:
            raise
        return await start("bash", str(script))  # executable, but its first line names no program


class _Words:
    def __init__(self) -> None:
        self._reading_end, self.writing_end = os.pipe()
        os.set_blocking(self._reading_end, False)
        self._kept = bytearray()
        self._cut = False

    def drop(self) -> None:
        os.close(self._reading_end)

    def follow(self) -> None:
        asyncio.get_running_loop().add_reader(self._reading_end, self._read)

    def _read(self) -> bool:
        try:
            piece = os.read(self._reading_end, READ_BYTES)
        except BlockingIOError:
            return False
        if not piece:
            asyncio.get_running_loop().remove_reader(self._reading_end)
            os.close(self._reading_end)
            self._reading_end = -1
            return False
        self._kept += piece
        self._cut = self._cut or len(self._kept) > KEPT_BYTES
        del self._kept[:-KEPT_BYTES]
        return True

    def tail(self, redact: Redactor) -> str:
        for _ in range(LAST_READS):
            if self._reading_end < 0 or not self._read():
                break
        # Where the beginning was cut off a secret may have lost its own beginning, and with it
        # what it would be recognised by.
        begin = redact.longest * 4 if self._cut else 0
        return tail(self._kept[begin:].decode(errors="replace"), redact)
