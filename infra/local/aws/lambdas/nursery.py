"""Forks workers that have the heavy imports behind them, so that a cold start takes milliseconds.

One process, one thread. It reads spawn requests (one byte, two descriptors) from its socket and
answers with the worker's process id. It ends when the host does, and its workers end with it.
"""

import ctypes
import gc
import importlib
import os
import signal
import socket
import sys
from contextlib import suppress

from infra.local.aws.lambdas import worker

# What nearly every function imports first. Not imported where layers are honoured: there a
# function has to find these in its own layers.
_PRELOADED = (
    "botocore.session",
    "aws_lambda_powertools.logging",
    "aws_lambda_powertools.event_handler",
    "pydantic",
    "pynamodb.connection",
)

_PR_SET_PDEATHSIG = 1


def main(control: socket.socket, *, preload: bool) -> None:
    # The terminal's Ctrl-C goes to the host, which ends us; children are reaped by the kernel.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for module in _PRELOADED if preload else ():
        with suppress(ImportError):
            importlib.import_module(module)
    gc.collect()
    gc.freeze()
    nursery = os.getpid()
    while True:
        request, descriptors, _, _ = socket.recv_fds(control, 1, 2)
        if not request:
            return
        child = os.fork()
        if child == 0:
            control.close()
            _grow_up(nursery, *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        control.sendall(child.to_bytes(4, "big"))


def _grow_up(nursery: int, channel: int, log: int) -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != nursery:
        os._exit(0)  # it died between fork and prctl
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _forget_checkout()
    try:
        worker.run(socket.socket(fileno=channel), log)
    finally:
        os._exit(0)


def _forget_checkout() -> None:
    """It is on the path for this module's sake; a function brings its own code."""
    sys.path[:] = [entry for entry in sys.path if entry not in ("", os.getcwd())]  # noqa: PTH109 - as text
    for name in [name for name in sys.modules if name.partition(".")[0] == "infra"]:
        del sys.modules[name]


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), preload="--preload" in sys.argv)
