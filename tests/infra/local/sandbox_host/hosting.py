"""A sandbox host in a process of its own, for tests: started, killed, started again."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from e2b import E2B, Sandbox

from infra.local.sandbox_host.choice import FORCED
from infra.local.sandbox_host.marked import marked
from infra.local.sandbox_host.store import remove_tree

API_KEY = "key-of-the-tests"
REPOSITORY = Path(__file__).parents[4]
NOBODY = 65534

FILES_ONLY: Mapping[str, Any] = {
    "lifecycle": {"on_timeout": {"action": "pause", "mode": "filesystem"}, "auto_resume": False},
    "network": {"allow_public_traffic": False},
}


def until(holds: Callable[[], object], seconds: float = 10) -> bool:
    """Wait for something to hold; False when it does not in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.02)
    return bool(holds())


def nap(number: int) -> str:
    """A command that goes on for ever, and is this test run's alone: others may run beside it."""
    return f"sleep 86400.{os.getpid()}{number:02}"


def processes_of(command: str) -> list[int]:
    """Processes of this machine with exactly this command line."""
    wanted = b"".join(word.encode() + b"\0" for word in command.split())
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if path.read_bytes() == wanted:
                found.append(int(path.parent.name))
    return found


@dataclass
class Host:
    root: Path
    isolation: str | None = None
    """Forced, or the strongest there is."""
    user: int | None = None
    limit: int = 20
    process: subprocess.Popen[str] | None = None
    told: dict[str, Any] = field(default_factory=dict[str, Any])
    module: ClassVar[str] = "infra.local.sandbox_host"

    @property
    def state(self) -> Path:
        return self.root / "state"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.told['port']}"

    @property
    def client(self) -> E2B:
        return self.client_with(API_KEY)

    def client_with(self, api_key: str, retries: int = 0) -> E2B:
        return E2B(api_key=api_key, api_url=self.url, sandbox_url=self.url, retries=retries)

    def sandbox(self, **options: Any) -> Sandbox:
        asked: dict[str, Any] = {"template": "outboard", **FILES_ONLY, **options}
        return self.client.Sandbox.create(**asked)

    def start(self) -> "Host":
        environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}
        if self.isolation:
            environment[FORCED] = self.isolation
        log = (self.root / "host.log").open("a")
        with log:
            self.process = subprocess.Popen(
                self._command(),
                cwd=REPOSITORY,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, self.log()
        self.told = json.loads(line)
        return self

    def log(self) -> str:
        return (self.root / "host.log").read_text()

    def kill_hard(self) -> None:
        """As if the machine's owner had: no farewell."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if not self.process:
            return
        self.process.send_signal(number)
        self.process.wait(20)
        assert self.process.stdout
        self.process.stdout.close()
        self.process = None

    def processes(self) -> list[int]:
        """Of all its sandboxes."""
        mark = self.state / "mark"
        return marked(mark.read_text()) if mark.exists() else []

    def mounts(self) -> list[str]:
        return [line for line in _mountinfo() if str(self.state) in line]

    def _command(self) -> list[str]:
        host = [
            *(sys.executable, "-m", self.module, "--port", "0"),
            *("--state", str(self.state), "--template", str(self.root / "template")),
            *("--api-key-file", str(self.root / "key"), "--limit", str(self.limit)),
        ]
        return host if self.user is None else _as_user(self.user, self.root, host)


@contextmanager
def hosting(
    isolation: str | None = None, user: int | None = None, limit: int = 20
) -> Generator[Host]:
    with prepared(isolation, user, limit) as host:
        yield host.start()


@contextmanager
def prepared[H: Host](
    isolation: str | None = None,
    user: int | None = None,
    limit: int = 20,
    kind: type[H] = Host,
) -> Generator[H]:
    """A host that is yet to be started."""
    # Not pytest's own directory: that one nobody else can enter, and the host may be nobody.
    root = Path(tempfile.mkdtemp(prefix="outboard-sandboxes-"))
    try:
        _furnish(root, user)
        host = kind(root, isolation, user, limit)
        try:
            yield host
        finally:
            host.stop()
    finally:
        remove_tree(root)


def _furnish(root: Path, user: int | None) -> None:
    program = root / "template" / "bin" / "greet"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "greetings from the template"\n')
    program.chmod(0o755)
    (root / "template" / "bin" / "python").symlink_to(Path(sys.executable).resolve())
    (root / "key").write_text(f"{API_KEY}\n")
    if user is not None:
        for path in (root, *root.rglob("*")):
            os.chown(path, user, user, follow_symlinks=False)
    root.chmod(0o755)


def _as_user(user: int, root: Path, command: list[str]) -> list[str]:
    """As an ordinary user, who might not be able to reach the interpreter where root keeps it."""
    prefix = Path(sys.base_prefix).resolve()
    drop = ["setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups", "--", *command]
    closed = [path for path in prefix.parents if not path.stat().st_mode & 0o001]
    if not closed:
        return drop
    (root / "interpreter").mkdir(exist_ok=True)
    reach = (
        'mount --bind "$1" "$3" && mount -t tmpfs -o mode=755 tmpfs "$2" && mkdir -p "$1" && '
        'mount --bind "$3" "$1" && shift 3 && exec "$@"'
    )
    places = (str(prefix), str(closed[-1]), str(root / "interpreter"))
    return [
        "unshare",
        "--mount",
        "--propagation",
        "private",
        "sh",
        "-c",
        reach,
        "sh",
        *places,
        *drop,
    ]


def _mountinfo() -> list[str]:
    return Path("/proc/self/mountinfo").read_text().splitlines()
