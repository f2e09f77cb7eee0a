"""The process of `opencode serve`: started, watched, ended."""

import asyncio
import contextlib
import os
import re
import signal
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final

from sandbox_bridge.harness.seam import HarnessFailed
from sandbox_bridge.redaction import LastWords, Redactor

_LISTENING: Final = re.compile(rb"listening on (http://127\.0\.0\.1:\d+)\s")
_READ_BYTES: Final = 64 * 1024
_SHOWN: Final = 500
_LOGGING: Final = ("--print-logs", "--log-level", "ERROR")
"""Of what is less than an error it logs every command, and whatever secret is written in it."""

_LOOK_AGAIN: Final = 0.02
_KILLED_WITHIN: Final = timedelta(seconds=5)


class Server:
    """In a process group and session of its own, so that it ends without taking us along."""

    def __init__(self, process: asyncio.subprocess.Process, redact: Redactor) -> None:
        self._process = process
        self._beginning = b""
        self._words = LastWords(redact, _SHOWN)
        self._draining: asyncio.Task[None] | None = None
        self.url = ""

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        return self._process.returncode is not None

    @property
    def ending(self) -> str:
        """How it ended, for the user."""
        code = self._process.returncode
        if code is not None and code < 0:
            return f"opencode was killed by {signal.Signals(-code).name}"
        return f"opencode ended with status {code}"

    async def ended_within(self, time: timedelta) -> bool:
        """Looks instead of waiting: asyncio's `wait` also waits for whoever holds the pipe."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + time.total_seconds()
        while not self.has_ended and loop.time() < deadline:  # noqa: ASYNC110 - as it says
            await asyncio.sleep(_LOOK_AGAIN)
        return self.has_ended

    async def kill(self) -> None:
        """Ends the server and its own helpers; its tools have groups of their own."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        await self.ended_within(_KILLED_WITHIN)
        if self._draining:
            self._draining.cancel()

    async def listen(self, within: timedelta) -> None:
        """Returns when it has printed its address: what connects earlier is never answered."""
        try:
            async with asyncio.timeout(within.total_seconds()):
                self.url = await self._announced()
        except TimeoutError:
            await self.kill()
            seconds = int(within.total_seconds())
            raise HarnessFailed(f"opencode did not listen within {seconds} s{self._said}") from None
        self._draining = asyncio.create_task(self._drain())

    async def _announced(self) -> str:
        while piece := await self._read():
            self._beginning += piece
            if match := _LISTENING.search(self._beginning):
                return match.group(1).decode()
        await self.ended_within(_KILLED_WITHIN)
        raise HarnessFailed(f"{self.ending} before it listened{self._said}")

    async def _drain(self) -> None:
        """A pipe that nobody reads would stop the server one day."""
        while await self._read():
            pass

    async def _read(self) -> bytes:
        assert self._process.stdout
        piece = await self._process.stdout.read(_READ_BYTES)
        self._words.hear(piece)
        return piece

    @property
    def last_words(self) -> str:
        """Without secrets; its own log as well, as far as it tells of errors."""
        return self._words.end().strip()

    @property
    def _said(self) -> str:
        said = self.last_words
        return f": {said}" if said else ""


async def launch(
    binary: Path, workdir: Path, environment: Mapping[str, str], redact: Redactor
) -> Server:
    """Raises HarnessFailed when there is no such program."""
    try:
        process = await asyncio.create_subprocess_exec(
            *(str(binary), "serve", "--hostname", "127.0.0.1", "--port", "0", *_LOGGING),
            cwd=workdir,
            env=dict(environment),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise HarnessFailed(f"opencode can't be started: {error.strerror}") from error
    return Server(process, redact)
