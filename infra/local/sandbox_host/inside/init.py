"""The first process of a sandbox: it starts commands, reaps them, and handles files for the host.

It has one channel, to the host. When that closes the host is gone or is done with this sandbox, and
everything in here ends. An isolated sandbox's processes end with this one, because it is the first
of their namespace; in plain mode it adopts every orphan, so it can find and kill them all.
"""

import ctypes
import errno
import os
import selectors
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple, NoReturn

from infra.local.sandbox_host.inside import descendants, messages
from infra.local.sandbox_host.inside.files import Files
from infra.local.sandbox_host.inside.messages import Message

_SET_PDEATHSIG, _SET_DUMPABLE, _SET_CHILD_SUBREAPER = 1, 4, 36


class Setup(NamedTuple):
    """Not a dataclass: every sandbox waits for this process, and that import is a fifth of it."""

    channel: int
    root: str
    template: str
    uid: int | None
    """Whom to become; None where this process already is who it should be."""

    @property
    def isolated(self) -> bool:
        return self.root == "/"


def main(arguments: Sequence[str]) -> NoReturn:
    channel, root, template, uid = arguments
    setup = Setup(int(channel), root, template, int(uid) if uid else None)
    os.set_inheritable(setup.channel, False)  # noqa: FBT003 - commands must not have it
    _become(setup)
    init = Init(socket.socket(fileno=setup.channel), setup)
    init.serve()


class Init:
    def __init__(self, channel: socket.socket, setup: Setup) -> None:
        self._channel = channel
        self._isolated = setup.isolated
        self._files = Files(setup.root, setup.template)
        self._commands: set[int] = set()
        self._file_operations: dict[str, Callable[[Message], tuple[Message, list[int]]]] = {
            "open_for_reading": lambda m: ({}, [self._files.open_for_reading(m["path"])]),
            "open_for_writing": lambda m: ({}, [self._files.open_for_writing(m["path"])]),
            "entry": lambda m: ({"entry": self._files.entry(m["path"])}, []),
            "entries": lambda m: ({"entries": self._files.entries(m["path"], m["depth"])}, []),
            "make_directory": lambda m: ({"entry": self._files.make_directory(m["path"])}, []),
            "remove": lambda m: (self._files.remove(m["path"]) or {}, []),
            "move": lambda m: (
                {"entry": self._files.move(m["source"], m["destination"])},
                [],
            ),
        }

    def serve(self) -> NoReturn:
        wakeup, waker = socket.socketpair()
        for end in (wakeup, waker):
            end.setblocking(False)  # noqa: FBT003 - the library's own signature
        signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _number, _stack: None)
        signal.signal(signal.SIGTERM, lambda _number, _stack: self._end())
        selector = selectors.DefaultSelector()
        selector.register(self._channel, selectors.EVENT_READ, self._handle)
        selector.register(wakeup, selectors.EVENT_READ, lambda: self._reap(wakeup))
        self._tell({"ready": True})
        while True:
            for key, _ in selector.select():
                key.data()

    def _handle(self) -> None:
        try:
            message, descriptors = messages.receive(self._channel)
        except (EOFError, ConnectionError):
            self._end()
        match message["do"]:
            case "start":
                self._answer(message, lambda: self._start(message, descriptors))
            case "signal":
                self._answer(message, lambda: self._signal(message))
            case "signal_all":
                self._answer(message, lambda: self._signal_all(signal.Signals(message["signal"])))
            case operation:
                self._in_background(message, self._file_operations[operation])

    def _in_background(
        self, message: Message, operation: Callable[[Message], tuple[Message, list[int]]]
    ) -> None:
        """A large tree takes its time to list or remove; commands must start meanwhile."""
        work = threading.Thread(
            target=self._answer, args=(message, lambda: operation(message)), daemon=True
        )
        work.start()

    def _answer(self, message: Message, work: Callable[[], tuple[Message, list[int]]]) -> None:
        try:
            answer, descriptors = work()
            self._tell({"id": message["id"], **answer}, descriptors)
            messages.close(descriptors)
        except (OSError, ValueError, RecursionError) as error:
            # A name with a null byte is a ValueError to Python, before any kernel has seen it.
            self._tell({"id": message["id"], "error": _refusal(message, error)})

    def _start(self, message: Message, descriptors: Sequence[int]) -> tuple[Message, list[int]]:
        try:
            os.chdir(self._files.real(message["directory"]))
            pid = os.posix_spawnp(
                message["command"][0],
                message["command"],
                message["environment"],
                file_actions=_stdio(descriptors),
                setsid=True,
                setsigmask=[],
                setsigdef=[signal.SIGPIPE, signal.SIGCHLD, signal.SIGTERM, signal.SIGINT],
            )
        finally:
            os.chdir("/")
            messages.close(descriptors)
        self._commands.add(pid)
        return {"pid": pid}, []

    def _signal(self, message: Message) -> tuple[Message, list[int]]:
        if message["pid"] not in self._commands:
            raise ProcessLookupError(errno.ESRCH, "no such command")
        os.killpg(message["pid"], message["signal"])
        return {}, []

    def _signal_all(self, number: signal.Signals) -> tuple[Message, list[int]]:
        if self._isolated:
            with suppress(ProcessLookupError):
                os.kill(-1, number)  # everybody in this namespace but the caller
        else:
            descendants.signal_all(number)
        return {}, []

    def _reap(self, wakeup: socket.socket) -> None:
        wakeup.recv(4096)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            if pid in self._commands:
                self._commands.remove(pid)
                self._tell({"exited": pid, "code": os.waitstatus_to_exitcode(status)})

    def _tell(self, message: Message, descriptors: Sequence[int] = ()) -> None:
        try:
            messages.send(self._channel, message, descriptors)
        except ConnectionError:
            self._end()

    def _end(self) -> NoReturn:
        if not self._isolated:
            descendants.end_all()
        os._exit(0)


def _become(setup: Setup) -> None:
    if setup.uid is not None:
        os.setgroups([])
        os.setresgid(setup.uid, setup.uid, setup.uid)
        os.setresuid(setup.uid, setup.uid, setup.uid)
    os.umask(0o022)
    control = ctypes.CDLL(None, use_errno=True).prctl
    if setup.isolated:
        # Asked for again, because the change of user has cleared what bubblewrap asked for. And
        # nobody inside may trace this process: it holds the channel to the host.
        control(_SET_PDEATHSIG, signal.SIGKILL)
        control(_SET_DUMPABLE, 0)
    else:
        control(_SET_PDEATHSIG, signal.SIGTERM)
        control(_SET_CHILD_SUBREAPER, 1)


def _stdio(
    descriptors: Sequence[int],
) -> list[tuple[int, int, int] | tuple[int, int, str, int, int]]:
    stdout, stderr, *stdin = descriptors
    source = (
        (os.POSIX_SPAWN_DUP2, stdin[0], 0)
        if stdin
        else (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0)
    )
    return [source, (os.POSIX_SPAWN_DUP2, stdout, 1), (os.POSIX_SPAWN_DUP2, stderr, 2)]


def _refusal(message: Message, error: OSError | ValueError | RecursionError) -> Message:
    named = message.get("path") or message.get("source") or message.get("directory")
    if isinstance(error, OSError):
        number, reason = error.errno or errno.EIO, error.strerror or type(error).__name__
    else:
        number, reason = errno.EINVAL, str(error)
    return {"errno": number, "message": f"{reason}: {named!r}" if named else reason}


if __name__ == "__main__":
    main(sys.argv[1:])
