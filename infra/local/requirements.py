"""What this machine has to have before anything is started, and what it may lack."""

import fcntl
import os
import platform
import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path

from infra.local.refusal import Refusal

NODE = 20

type Which = Callable[[str], str | None]
type Ask = Callable[..., str]

_WITHOUT_BUBBLEWRAP = (
    "bubblewrap is not installed: sandboxes run in plain mode, with nothing between them and"
    " your files (install the package bubblewrap)"
)
_WITHOUT_RIPGREP = (
    "ripgrep is not installed: agents search files more slowly (install the package ripgrep)"
)


def check(which: Which = shutil.which, ask: Ask | None = None) -> tuple[str, ...]:
    """What is missing but can be done without. Raises `Refusal` with everything that can't."""
    ask = ask or _said
    problems = [*_machine(), *_node(which, ask), *_git(which, ask)]
    if problems:
        raise Refusal("; ".join(problems))
    notes = {"bwrap": _WITHOUT_BUBBLEWRAP, "rg": _WITHOUT_RIPGREP}
    return tuple(note for program, note in notes.items() if which(program) is None)


def check_ports(ports: Mapping[str, int]) -> None:
    """Raises `Refusal`, naming the port, when one is taken."""
    for name, port in ports.items():
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError as error:
            raise Refusal(
                f"port {port}, for {name}, is taken by another program ({error.strerror});"
                " choose others: OUTBOARD_PORT=<port> make run takes that one and the next three"
            ) from error


@contextmanager
def alone(lock: Path) -> Generator[None]:
    """Raises `Refusal` while another process has it; ends with the process, however that ends."""
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        who = os.read(descriptor, 20).decode() or "unknown"
        os.close(descriptor)
        raise Refusal(
            f"it is running here already, as process {who}: use it with ./outboard,"
            f" or stop it with Ctrl-C where it was started (or: kill {who})"
        ) from error
    os.ftruncate(descriptor, 0)
    os.write(descriptor, str(os.getpid()).encode())
    try:
        yield
    finally:
        os.close(descriptor)


def _machine() -> Iterable[str]:
    if platform.system() != "Linux" or platform.machine() not in {"x86_64", "AMD64"}:
        found = f"{platform.system()} on {platform.machine()}"
        yield f"it runs on Linux on x86_64 (this is {found})"


def _node(which: Which, ask: Ask) -> Iterable[str]:
    for program in ("node", "npm"):
        if which(program) is None:
            yield f"{program} is missing: install Node.js {NODE} or newer"
            return
    said = ask("node", "--version")
    found = re.match(r"v(\d+)", said)
    if found is None or int(found[1]) < NODE:
        yield f"node is {said or 'of unknown version'}: install Node.js {NODE} or newer"


def _git(which: Which, ask: Ask) -> Iterable[str]:
    if which("git") is None:
        yield "git is missing: install it"
    elif not Path(ask("git", "--exec-path"), "git-http-backend").exists():
        yield "git has no http-backend here: install the full git package"


def _said(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout.strip()
