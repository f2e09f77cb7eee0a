"""Outboard on one machine for a test: the same programs as `make run`, with state of its own."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Self

from tests.eventually import eventually

ROOT = Path(__file__).parents[2]
STARTS_WITHIN = 180
OURS = ("ANTHROPIC_", "AWS_", "GIT_", "OPENAI_", "OUTBOARD_")
"""What a developer's own shell may hold is not what the test is about."""

AUTHOR = {
    "GIT_AUTHOR_NAME": "Ada Example",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_COMMITTER_NAME": "Ada Example",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
}


@dataclass
class Machine:
    """Start it, use `outboard()`; `kill()` is SIGKILL to every one of its programs at once."""

    directory: Path
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    program: str = "infra.local"
    process: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        self.port = free_ports()
        self.home = self.directory / "home"
        self.home.mkdir(parents=True, exist_ok=True)
        (self.home / ".gitconfig").write_text(
            "[user]\n\tname = Ada Example\n\temail = ada@example.com\n"
        )

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def state(self) -> Path:
        return self.directory / "state"

    def start(self) -> None:
        log = self.directory / "run.log"
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", self.program],
                cwd=ROOT,
                env=self._environment() | dict(self.environment),
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        until(lambda: (self.state / "endpoint.json").exists() or self._died(), STARTS_WITHIN)
        assert not self._died(), log.read_text()

    def _died(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def stop(self) -> None:
        if self.process is not None and not self._died():
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)

    def kill(self) -> None:
        """Like a power cut for the programs: nobody gets to say goodbye."""
        assert self.process is not None
        for pid in (*descendants(self.process.pid), self.process.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait(30)
        (self.state / "endpoint.json").unlink(missing_ok=True)

    def outboard(self, *arguments: str, timeout: float = 180) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "shared.client", *arguments],
            cwd=ROOT,
            env=self._environment(),
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def json(self, *arguments: str, timeout: float = 180) -> list[dict[str, Any]]:
        """What the command said, line by line. It has to have gone well."""
        done = self.outboard(*arguments, "--json", timeout=timeout)
        assert done.returncode == 0, done.stderr + done.stdout
        return [json.loads(line) for line in done.stdout.splitlines()]

    def show(self, session: str) -> dict[str, Any]:
        return self.json("show", session)[-1]

    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
        return kept | {
            "HOME": str(self.home),
            "OUTBOARD_PORT": str(self.port),
            "OUTBOARD_STATE": str(self.state),
            "PYTHONPATH": str(ROOT),
        }


def free_ports() -> int:
    """The first of four that are free side by side."""
    for _ in range(100):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        if port < 65_000 and all(_is_free(port + offset) for offset in range(4)):
            return port
    raise AssertionError("no four free ports side by side")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def until(condition: Callable[[], object], seconds: float, every: float = 0.1) -> None:
    eventually(condition, timedelta(seconds=seconds), every=timedelta(seconds=every))


def descendants(pid: int) -> list[int]:
    found: list[int] = []
    for child in children(pid):
        found += [child, *descendants(child)]
    return found


def children(pid: int) -> list[int]:
    found: list[int] = []
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(child) for child in tasks.read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def repository(directory: Path, **files: str) -> Path:
    """A git repository with one commit."""
    directory.mkdir(parents=True)
    git(directory, "init", "--quiet", "--initial-branch=main")
    for name, content in files.items():
        (directory / name.replace("__", ".")).write_text(content)
    git(directory, "add", "--all")
    git(directory, "commit", "--quiet", "--message", "first")
    return directory


def git(directory: Path, *arguments: str) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": str(directory), **AUTHOR}
    return subprocess.run(
        ["git", *arguments],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
