"""Builds what a start needs, at the same time, each in a process that can be stopped."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from infra.local import tether
from infra.local.refusal import Refusal
from layers.artifact import ROOT
from layers.packages import BuildFailed

BUILDS: Mapping[str, Sequence[str]] = {
    "the sandboxes' template (Python, bridge, OpenCode)": ("-m", "infra.local.sandbox_template"),
    "the deployment's template": ("-m", "infra.local.assembly"),
}
_WORTH_A_WORD = 1.0


def build_all(say: Callable[[str], None], builds: Mapping[str, Sequence[str]] = BUILDS) -> None:
    """Raises `Refusal` with what a failing one said."""
    began = time.monotonic()
    say(f"building what has changed of {' and of '.join(builds)}")
    running = {words: _start(arguments) for words, arguments in builds.items()}
    try:
        for words, process in running.items():
            _, said = process.communicate()
            if process.returncode:
                raise Refusal(f"{words} can't be built: {said.decode(errors='replace').strip()}")
            if time.monotonic() - began > _WORTH_A_WORD:
                say(f"built {words}: {time.monotonic() - began:.0f} s")
    finally:
        for process in running.values():
            _stop(process)


def as_program(build: Callable[[], object]) -> None:
    """For the module that builds: its failures are sentences on standard error."""
    try:
        build()
    except (BuildFailed, Refusal) as failure:
        sys.exit(str(failure))


def _start(arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, tether.__file__, str(os.getpid()), sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        process_group=0,
    )


def _stop(process: subprocess.Popen[bytes]) -> None:
    """With what it has started: npm, uv, node."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
