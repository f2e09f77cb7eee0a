"""`python tether.py PARENT COMMAND...` becomes COMMAND, and is killed when its parent dies.

A death by `kill -9` runs no cleaning up, so the kernel is asked. Its promise survives `exec`, but
is about the thread that started this process: the parent starts its programs from its main thread.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main(parent: int, command: list[str]) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL) != 0:
        sys.exit(f"tether: {os.strerror(ctypes.get_errno())}")
    if os.getppid() != parent:
        sys.exit("tether: the parent died before the child was tied to it")
    os.execvp(command[0], command)  # noqa: S606 - no shell is what is wanted


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
