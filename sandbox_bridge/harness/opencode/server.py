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

_LISTENING: Final = re.compile(rb"listening on (http://127\.0\.0\.1:\d+)\s")
_TAIL_BYTES: Final = 2_000
_SHOWN_BYTES: Final = 500
_LOOK_AGAIN: Final = 0.02
_KILLED_WITHIN: Final = timedelta(seconds=5)


class Server:
    """In a process group and session of its own, so that it ends without taking us along."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._tail = b""
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
        while await self._read():
            if match := _LISTENING.search(self._tail):
                return match.group(1).decode()
        await self.ended_within(_KILLED_WITHIN)
        raise HarnessFailed(f"{self.ending} before it listened{self._said}")

    async def _drain(self) -> None:
        """A pipe that nobody reads would stop the server one day."""
        while await self._read():
            pass

    async def _read(self) -> bool:
        assert self._process.stdout
        chunk = await self._process.stdout.read(_TAIL_BYTES)
        self._tail = (self._tail + chunk)[-_TAIL_BYTES:]
        return bool(chunk)

    @property
    def _said(self) -> str:
        tail = self._tail[-_SHOWN_BYTES:].decode(errors="replace").strip()
        if len(self._tail) > _SHOWN_BYTES:
            # Of a word that was cut nobody knows whether it was a secret.
            tail = tail.partition(" ")[2]
        return f": {tail}" if tail else ""


async def launch(binary: Path, workdir: Path, environment: Mapping[str, str]) -> Server:
    """Raises HarnessFailed when there is no such program."""
    try:
        process = await asyncio.create_subprocess_exec(
            *(str(binary), "serve", "--hostname", "127.0.0.1", "--port", "0"),
            cwd=workdir,
            env=dict(environment),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise HarnessFailed(f"opencode can't be started: {error.strerror}") from error
    return Server(process)
