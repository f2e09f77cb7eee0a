"""The real command line as a process, as a user of a scripted server's machine runs it."""

import io
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import pytest

from shared.client.arguments import parser
from shared.client.cli import main

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "shared.client"]
DEADLINE = 30


@dataclass(frozen=True, slots=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def json(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass(slots=True)
class Outboard:
    """`outboard` as a user of the scripted server's machine runs it."""

    state: Path
    cwd: Path
    environment: dict[str, str] = field(default_factory=dict[str, str])

    def __call__(self, *words: str, stdin: str | bytes = "") -> Ran:
        """In this process, which saves loading everything for each command."""
        with pytest.MonkeyPatch.context() as patch, _Streams(stdin, patch) as streams:
            for name in [name for name in os.environ if name.startswith("OUTBOARD_")]:
                patch.delenv(name)
            for name, value in self.environment.items():
                patch.setenv(name, value)
            patch.chdir(self.cwd)
            status = _status(words)
        return Ran(status, streams.out, streams.err)

    def process(self, *words: str, stdin: bytes = b"") -> Ran:
        """As a process of its own, as users have it."""
        ran = subprocess.run(
            [*COMMAND, *words],
            input=stdin,
            capture_output=True,
            cwd=self.cwd,
            env=self.environment,
            timeout=DEADLINE,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())

    def start(self, *words: str, stdout: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*COMMAND, *words],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            cwd=self.cwd,
            env=self.environment,
        )


def _status(words: tuple[str, ...]) -> int:
    try:
        return main(parser().parse_args(words))
    except SystemExit as leaving:
        return int(leaving.code or 0)


class _Streams:
    """The standard streams of a command that runs in this process."""

    def __init__(self, stdin: str | bytes, patch: pytest.MonkeyPatch) -> None:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        self._in = io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")
        self._out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        self._err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        self._patch = patch
        self.out = self.err = ""

    def __enter__(self) -> Self:
        for name, stream in (("stdin", self._in), ("stdout", self._out), ("stderr", self._err)):
            self._patch.setattr(sys, name, stream)
        return self

    def __exit__(self, *_: object) -> None:
        self.out, self.err = (_written(stream) for stream in (self._out, self._err))


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    written = stream.buffer
    assert isinstance(written, io.BytesIO)
    return written.getvalue().decode()


def interrupted(process: subprocess.Popen[bytes]) -> Ran:
    """Ctrl-C, and what was still said after it."""
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=DEADLINE)
    return Ran(process.returncode, out.decode(), err.decode())


def read_until(process: subprocess.Popen[bytes], text: str) -> list[str]:
    """The lines up to the one that has it; the test's own time-out is the deadline."""
    assert process.stdout is not None
    lines: list[str] = []
    for raw in process.stdout:
        lines.append(raw.decode().rstrip("\n"))
        if text in lines[-1]:
            return lines
    raise AssertionError(f"{text!r} never came: {lines}")


def git_identity(home: Path, name: str = "Ada Example", email: str = "ada@example.com") -> None:
    (home / ".gitconfig").write_text(f'[user]\n\tname = "{name}"\n\temail = "{email}"\n')
