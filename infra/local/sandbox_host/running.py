"""A sandbox while it runs: its guest, the commands started in it, and when its time is up."""

import asyncio
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from infra.local.sandbox_host.channel import GuestGone
from infra.local.sandbox_host.command import Command, Request, start
from infra.local.sandbox_host.guest import Guest


@dataclass(slots=True, eq=False)
class Running:
    guest: Guest
    environment: dict[str, str]
    """What every command gets: the host's part over what the sandbox was created with."""
    commands: dict[int, Command] = field(default_factory=dict[int, Command])
    _tasks: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    _expiry: asyncio.TimerHandle | None = None

    async def start(self, request: Request) -> Command:
        """Raises OSError as the sandbox met it, or GuestGone."""
        command, task = await start(self.guest.channel, request)
        self.commands[command.pid] = command
        self._keep(task)
        task.add_done_callback(lambda _: self.commands.pop(command.pid, None))
        return command

    async def signal(self, command: Command, number: signal.Signals) -> None:
        """To the command and what it started in its process group."""
        await self.guest.channel.ask("signal", pid=command.pid, signal=number)

    def kill_after(self, command: Command, time: timedelta) -> None:
        async def kill() -> None:
            command.overdue = True
            with suppress(OSError, GuestGone):
                await self.signal(command, signal.SIGKILL)

        timer = asyncio.get_running_loop().call_later(
            time.total_seconds(), lambda: self._work(kill())
        )
        command.exit_code.add_done_callback(lambda _: timer.cancel())

    def expire_in(self, time: timedelta, then: Callable[[], None]) -> None:
        if self._expiry:
            self._expiry.cancel()
        loop = asyncio.get_running_loop()
        self._expiry = loop.call_later(max(time.total_seconds(), 0), then)

    async def end(self) -> None:
        """Returns when no process is left and every listener has heard of it."""
        if self._expiry:
            self._expiry.cancel()
        await self.guest.end()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=1)
        for task in self._tasks:
            task.cancel()
        for command in self.commands.values():
            command.abandon()  # a listener that does not read must not hold up a kill

    def _work(self, work: Coroutine[Any, Any, None]) -> None:
        self._keep(asyncio.create_task(work))

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
