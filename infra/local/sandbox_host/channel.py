"""The host's end of the channel to a sandbox's first process: questions, answers, and exits.

What arrives is said by code that a sandbox might have got hold of, so nothing in it is trusted, and
a channel that carries nonsense is closed, which ends the sandbox.
"""

import asyncio
import os
import socket
import stat
from collections.abc import Sequence

from infra.local.sandbox_host.inside import messages
from infra.local.sandbox_host.inside.messages import Message

_ANSWER_SECONDS = 60.0
_AT_ONCE = 32
"""Questions under way; more wait here, so that the socket's buffer always has room."""


class GuestGone(Exception):
    """The sandbox ended, or stopped answering, while something was asked of it."""


class Channel:
    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._asked: dict[int, asyncio.Future[tuple[Message, Sequence[int]]]] = {}
        self._number = 0
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._exits: dict[int, asyncio.Future[int | None]] = {}
        self.ready = asyncio.Event()
        self.closed = asyncio.Event()
        end.setblocking(False)  # noqa: FBT003 - the library's own signature
        asyncio.get_running_loop().add_reader(end, self._receive)

    async def ask(
        self, do: str, descriptors: Sequence[int] = (), **arguments: object
    ) -> tuple[Message, Sequence[int]]:
        """Raises OSError as the sandbox met it, or GuestGone. Descriptors become the caller's."""
        async with self._slots:
            self._number += 1
            number = self._number
            answer = self._asked[number] = asyncio.get_running_loop().create_future()
            try:
                self._send({"id": number, "do": do, **arguments}, descriptors)
                async with asyncio.timeout(_ANSWER_SECONDS):
                    return await answer
            except TimeoutError as error:
                raise GuestGone from error
            finally:
                self._asked.pop(number, None)

    async def start(
        self,
        command: Sequence[str],
        environment: dict[str, str],
        directory: str,
        stdio: Sequence[int],
    ) -> tuple[int, asyncio.Future[int | None]]:
        """The command's pid, and its exit code to wait for: negative for the signal that ended it,
        None when the sandbox ended first.
        """
        answer, _ = await self.ask(
            "start", stdio, command=list(command), environment=environment, directory=directory
        )
        return answer["pid"], self._exits[answer["pid"]]

    async def open(self, do: str, path: str) -> int:
        """A file that the sandbox opened; the descriptor becomes the caller's."""
        _, descriptors = await self.ask(do, path=path)
        # Reading a pipe in a file's place would never end.
        if len(descriptors) != 1 or not stat.S_ISREG(os.fstat(descriptors[0]).st_mode):
            messages.close(descriptors)
            self.close()
            raise GuestGone
        return descriptors[0]

    def close(self) -> None:
        """Safe to repeat. Whoever waits for an answer or an exit is told."""
        if self.closed.is_set():
            return
        self.closed.set()
        asyncio.get_running_loop().remove_reader(self._end)
        self._end.close()
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(GuestGone())
        for exit_code in self._exits.values():
            if not exit_code.done():
                exit_code.set_result(None)
        self._exits.clear()

    def _send(self, message: Message, descriptors: Sequence[int]) -> None:
        try:
            messages.send(self._end, message, descriptors)
        except OSError as error:
            self.close()
            raise GuestGone from error

    def _receive(self) -> None:
        try:
            message, descriptors = messages.receive(self._end)
        except BlockingIOError:
            return
        except (EOFError, OSError, messages.Garbled):
            self.close()
            return
        try:
            self._take(message, descriptors)
        except (KeyError, TypeError, ValueError):
            messages.close(descriptors)
            self.close()

    def _take(self, message: Message, descriptors: Sequence[int]) -> None:
        if message.get("ready") is True:
            self.ready.set()
        elif "exited" in message:
            exit_code = self._exits.pop(int(message["exited"]), None)
            if exit_code and not exit_code.done():
                exit_code.set_result(int(message["code"]))
        else:
            self._take_answer(message, descriptors)

    def _take_answer(self, message: Message, descriptors: Sequence[int]) -> None:
        answer = self._asked.get(int(message["id"]))
        if answer is None or answer.done():
            messages.close(descriptors)  # whoever asked has gone away
        elif error := message.get("error"):
            messages.close(descriptors)
            answer.set_exception(OSError(int(error["errno"]), str(error["message"])))
        else:
            if "pid" in message:
                # Made here and not by the asker: the exit may be the very next message.
                self._exits[int(message["pid"])] = asyncio.get_running_loop().create_future()
            answer.set_result((message, descriptors))
