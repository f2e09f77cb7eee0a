"""A command in a sandbox: its output goes to whoever listens, as fast as the slowest of them reads.

With nobody listening output is read and dropped, so a command whose starter went away goes on. A
listener that does not read fills its short queue, then the pipe, and then the command waits.
"""

import asyncio
import errno
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from infra.local.sandbox_host.channel import Channel

_CHUNK = 32 * 1024
_QUEUED = 16

type Stream = Literal["stdout", "stderr"]


@dataclass(frozen=True, slots=True)
class Output:
    stream: Stream
    data: bytes


@dataclass(frozen=True, slots=True)
class Exit:
    code: int | None
    """Negative for the signal that ended it; None when the sandbox ended first."""
    overdue: bool = False
    """It was killed because its time was up."""


type Heard = Output | Exit


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    command: Sequence[str]
    environment: dict[str, str]
    own_environment: dict[str, str]
    """What the request itself set, to be listed."""
    directory: str
    takes_input: bool
    tag: str | None = None


@dataclass(slots=True)
class Command:
    pid: int
    request: Request
    exit_code: asyncio.Future[int | None]
    stdin: int | None
    overdue: bool = False
    _listeners: set[asyncio.Queue[Heard]] = field(default_factory=set[asyncio.Queue[Heard]])

    def listen(self) -> asyncio.Queue[Heard]:
        """Everything from now on; the last that comes is the exit. To be dismissed afterwards."""
        queue: asyncio.Queue[Heard] = asyncio.Queue(_QUEUED)
        self._listeners.add(queue)
        return queue

    def dismiss(self, queue: asyncio.Queue[Heard]) -> None:
        self._listeners.discard(queue)
        while not queue.empty():  # lets go of whoever waits for room in it
            queue.get_nowait()

    def abandon(self) -> None:
        """A listener that does not read is told the end in place of what it has not read."""
        for queue in self._listeners:
            while not queue.empty():
                queue.get_nowait()
            queue.put_nowait(Exit(None))

    async def run(self, stdout: int, stderr: int) -> None:
        """Until the end; the descriptors are closed then."""
        exited = asyncio.Event()
        self.exit_code.add_done_callback(lambda _: exited.set())
        await asyncio.gather(
            self._pass_on("stdout", stdout, exited), self._pass_on("stderr", stderr, exited)
        )
        await exited.wait()
        self.close_input()
        await self._tell(Exit(self.exit_code.result(), self.overdue))

    async def write(self, data: bytes) -> None:
        """Raises BrokenPipeError when nothing reads it any more."""
        rest = memoryview(data)
        while rest:
            if self.stdin is None:
                raise BrokenPipeError(errno.EPIPE, "the command takes no input")
            try:
                rest = rest[os.write(self.stdin, rest) :]
            except BlockingIOError:
                await _writable(self.stdin)

    def close_input(self) -> None:
        if self.stdin is not None:
            os.close(self.stdin)
            self.stdin = None

    async def _pass_on(self, stream: Stream, descriptor: int, exited: asyncio.Event) -> None:
        try:
            async for data in _chunks(descriptor, exited):
                await self._tell(Output(stream, data))
        finally:
            os.close(descriptor)

    async def _tell(self, heard: Heard) -> None:
        for queue in tuple(self._listeners):
            await queue.put(heard)
            if queue not in self._listeners:
                self.dismiss(queue)  # it went away while this waited, and there may be others


async def start(channel: Channel, request: Request) -> tuple[Command, asyncio.Task[None]]:
    """The task ends with the command. Raises OSError as the sandbox met it, or GuestGone."""
    pipes = [os.pipe() for _ in range(3 if request.takes_input else 2)]
    (stdout, its_stdout), (stderr, its_stderr), *stdin = pipes
    theirs = [its_stdout, its_stderr, *(read for read, _ in stdin)]
    ours = [stdout, stderr, *(write for _, write in stdin)]
    try:
        pid, exit_code = await channel.start(
            request.command, request.environment, request.directory, theirs
        )
    except BaseException:
        _close(ours)
        raise
    finally:
        _close(theirs)
    for descriptor in ours:
        os.set_blocking(descriptor, False)
    command = Command(pid, request, exit_code, ours[2] if request.takes_input else None)
    return command, asyncio.create_task(command.run(stdout, stderr))


async def _chunks(descriptor: int, exited: asyncio.Event) -> AsyncIterator[bytes]:
    """Until end of file, or until the command has ended and what it wrote is read.

    What a command left running in the background may hold the pipe open for ever.
    """
    while True:
        over = exited.is_set()  # asked before reading: what was written before the exit is there
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            if over:
                return
            await _readable(descriptor, exited)
            continue
        if not data:
            return
        yield data


async def _readable(descriptor: int, exited: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(descriptor, readable.set)
    waits = [asyncio.create_task(event.wait()) for event in (readable, exited)]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        loop.remove_reader(descriptor)
        for wait in waits:
            wait.cancel()


async def _writable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    writable = asyncio.Event()
    loop.add_writer(descriptor, writable.set)
    try:
        await writable.wait()
    finally:
        with suppress(ValueError):
            loop.remove_writer(descriptor)


def _close(descriptors: Sequence[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
