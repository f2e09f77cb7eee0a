"""A running sandbox, seen from the host: booted, spoken to over its channel, ended for good."""

import asyncio
import json
import os
import signal
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.local.sandbox_host import isolation as ways
from infra.local.sandbox_host.channel import Channel
from infra.local.sandbox_host.isolation import Descriptors, Place
from infra.local.sandbox_host.machine import MARK, Machine
from infra.local.sandbox_host.marked import end_marked
from infra.local.sandbox_host.records import Isolation

_BOOT_SECONDS = 20.0
_END_SECONDS = 5.0


class BootFailed(Exception):
    """The first process did not come up; the message is the end of what was said meanwhile."""


@dataclass(frozen=True, slots=True)
class Guest:
    channel: Channel
    process: asyncio.subprocess.Process
    """bubblewrap's own, which ends after the first of the namespace; in plain mode the first."""
    first: int | None
    """A descriptor of the namespace's first process."""
    mark: str

    async def end(self) -> None:
        """Returns when no process of the sandbox is left."""
        if self.first is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.first, signal.SIGKILL)
        self.channel.close()
        await _ended(self.process)
        if self.first is None:
            await asyncio.to_thread(end_marked, self.mark)
        else:
            os.close(self.first)


async def boot(isolation: Isolation, machine: Machine, place: Place) -> Guest:
    """Raises BootFailed, leaving nothing behind."""
    ways.make_ready(isolation, machine, place)
    ours, theirs = socket.socketpair()
    status, status_of_child = os.pipe()
    channel = Channel(ours)
    try:
        process = await _launch(
            isolation, machine, place, Descriptors(theirs.fileno(), status_of_child)
        )
    finally:
        theirs.close()
        os.close(status_of_child)
    mark = f"{machine.mark}.{place.id}"
    try:
        await _come_up(channel)
        first = None if isolation == "plain" else _first_of(status)
        return Guest(channel, process, first, mark)
    except (TimeoutError, OSError, ValueError, KeyError) as error:
        await Guest(channel, process, None, mark).end()
        raise BootFailed(_tail(place.home / "boot.log")) from error
    finally:
        os.close(status)


async def _launch(
    isolation: Isolation, machine: Machine, place: Place, descriptors: Descriptors
) -> asyncio.subprocess.Process:
    # Started on the main thread: what bubblewrap dies with is the thread that started it.
    inherited = {descriptors.channel} if isolation == "plain" else set(_numbers(descriptors))
    with (place.home / "boot.log").open("wb") as log:
        return await asyncio.create_subprocess_exec(
            *ways.command(isolation, machine, place, descriptors),
            cwd=machine.store.root / "layers",
            env=_environment(machine, place),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=tuple(inherited),
            start_new_session=True,
        )


def _numbers(descriptors: Descriptors) -> tuple[int, int]:
    return descriptors.channel, descriptors.status


def _environment(machine: Machine, place: Place) -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), MARK: f"{machine.mark}.{place.id}"}


async def _come_up(channel: Channel) -> None:
    waits = [asyncio.create_task(event.wait()) for event in (channel.ready, channel.closed)]
    try:
        async with asyncio.timeout(_BOOT_SECONDS):
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
    if channel.closed.is_set():
        raise ConnectionError


def _first_of(status: int) -> int:
    told: dict[str, Any] = json.loads(os.read(status, 4096))
    return os.pidfd_open(told["child-pid"])


async def _ended(process: asyncio.subprocess.Process) -> None:
    try:
        async with asyncio.timeout(_END_SECONDS):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _tail(log: Path) -> str:
    return log.read_text(errors="replace").strip()[-500:]
