"""How the host and a sandbox's first process talk: a message is a memory file sent over a socket.

One byte travels with the file, so a message has no framing and no size but the file's own, and the
descriptors that belong to it (pipes to run a command on, files opened inside) travel along.
"""

import errno
import json
import os
import socket
import stat
from collections.abc import Sequence
from typing import Any

type Message = dict[str, Any]

MAX_BYTES = 32 * 1024 * 1024
MAX_DESCRIPTORS = 4


class TooLong(OSError):
    """Ask for less."""


class Garbled(Exception):
    """The other side sent something that is no message; from a sandbox that is never forgiven."""


def send(channel: socket.socket, message: Message, descriptors: Sequence[int] = ()) -> None:
    """Whole or not at all. Raises TooLong, or BlockingIOError where the channel is full."""
    body = json.dumps(message).encode()
    if len(body) > MAX_BYTES:
        raise TooLong(errno.EMSGSIZE, "there is too much to tell at once")
    with open(os.memfd_create("message"), "wb") as file:  # noqa: PTH123 - a descriptor, not a path
        file.write(body)
        file.flush()
        socket.send_fds(channel, [b"\0"], [file.fileno(), *descriptors])


def receive(channel: socket.socket) -> tuple[Message, tuple[int, ...]]:
    """The next message and its descriptors, which are now the caller's to close.

    Raises EOFError when the other side is gone.
    """
    byte, descriptors, _, _ = socket.recv_fds(channel, 1, 1 + MAX_DESCRIPTORS)
    for descriptor in descriptors:
        # Asking for it in the call does not help: recv_fds takes flags and does not pass them on.
        os.set_inheritable(descriptor, False)  # noqa: FBT003 - the library's own signature
    if not byte:
        raise EOFError
    if not descriptors:
        raise Garbled("a message without a body")
    body, *others = descriptors
    try:
        return _parse(body), tuple(others)
    except Garbled:
        close(others)
        raise
    finally:
        os.close(body)


def close(descriptors: Sequence[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def _parse(body: int) -> Message:
    status = os.fstat(body)
    # The sandbox is not trusted: a pipe in place of the file would make its reader wait for ever.
    if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
        raise Garbled("a message must be a file of bounded size")
    try:
        message = json.loads(os.pread(body, status.st_size, 0))
    except ValueError as error:
        raise Garbled("a message must be JSON") from error
    if not isinstance(message, dict):
        raise Garbled("a message must be an object")
    return message  # pyright: ignore[reportUnknownVariableType] - its fields are checked on use
