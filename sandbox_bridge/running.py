"""Runs a program to its end: in a process group of its own, with a deadline, killed as a whole."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Ended:
    status: int
    output: bytes
    errors: bytes


async def run(
    command: Sequence[str],
    *,
    within: Path,
    environment: Mapping[str, str],
    stdin: bytes = b"",
    timeout: timedelta,
) -> Ended:
    """Raises `TimeoutError` when it took too long; nothing of it runs any more then."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=within,
        env=environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(timeout.total_seconds()):
            output, errors = await process.communicate(stdin)
    except BaseException:
        kill_group(process.pid)
        await process.wait()
        raise
    return Ended(process.returncode or 0, output, errors)


def kill_group(leader: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
