"""The life of every sandbox of this host.

Steps in one sandbox's life never overlap; different sandboxes don't wait for one another.
"""

import asyncio
import secrets
import signal
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from weakref import WeakValueDictionary

from infra.local.sandbox_host import isolation as ways
from infra.local.sandbox_host.catalogue import Catalogue
from infra.local.sandbox_host.channel import GuestGone
from infra.local.sandbox_host.groundwork import Groundwork
from infra.local.sandbox_host.guest import BootFailed, boot
from infra.local.sandbox_host.journal import note
from infra.local.sandbox_host.layers import CopyFailed
from infra.local.sandbox_host.machine import Machine
from infra.local.sandbox_host.records import Ended, Isolation, Sandbox, Snapshot
from infra.local.sandbox_host.refusals import Busy, Conflict, NotFound, NotRunning, TooMany
from infra.local.sandbox_host.running import Running
from infra.local.sandbox_host.wire import CreateSandbox

_EARLY = timedelta(milliseconds=50)
"""A timer may fire this much before the clock agrees."""


class Fleet:
    def __init__(self, machine: Machine, isolation: Isolation, *, limit: int) -> None:
        self.isolation: Isolation = isolation
        self.limit = limit
        self.catalogue = Catalogue(machine.store)
        self._machine = machine
        self._store = machine.store
        self._ground = Groundwork(machine, isolation)
        self._running: dict[str, Running] = {}
        self._booting = 0
        self._closing = False
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._background: set[asyncio.Task[None]] = set()
        self._empty_trash()

    def runs(self, sandbox_id: str) -> bool:
        return sandbox_id in self._running

    def running(self, sandbox_id: str) -> Running:
        """Raises NotRunning for a paused one and an unknown one alike, as E2B answers."""
        if sandbox_id not in self._running:
            raise NotRunning(sandbox_id)
        return self._running[sandbox_id]

    async def create(
        self, asked: CreateSandbox, *, key: str | None, fingerprint: str
    ) -> Sandbox | Ended:
        """A key used before answers with what it created then, even if that is gone by now."""
        async with self._step(f"create {key or secrets.token_hex(8)}"):
            known = self.catalogue.created_under(key) if key else None
            if known is None:
                return await self._create(asked, key, fingerprint)
            if known.fingerprint != fingerprint:
                message = "this Idempotency-Key was used for another request"
                raise Conflict(message, "idempotency_request_mismatch")
            return known

    async def connect(self, sandbox_id: str, timeout: timedelta) -> tuple[Sandbox, bool]:
        """Running, for at least `timeout`; and whether it had to be booted for that."""
        async with self._step(sandbox_id):
            sandbox = self.catalogue.sandbox(sandbox_id)
            until = _now() + timeout
            if self.runs(sandbox_id):
                return self._keep(sandbox.until(max(until, sandbox.end_at))), False
            with self._slot(), _boot_errors(sandbox_id):
                sandbox = await asyncio.to_thread(self._ground.adapt, sandbox.until(until))
                self.catalogue.keep(sandbox)
                self._ground.settle(sandbox)
                await self._boot(sandbox)
            note("sandbox_resumed", sandbox=sandbox_id)
            return sandbox, True

    async def pause(self, sandbox_id: str) -> None:
        async with self._step(sandbox_id):
            self.catalogue.sandbox(sandbox_id)
            if not self.runs(sandbox_id):
                raise Conflict(f"sandbox {sandbox_id!r} is already paused")
            await self._pause(sandbox_id, "asked")

    async def kill(self, sandbox_id: str) -> None:
        async with self._step(sandbox_id):
            await self._kill(self.catalogue.sandbox(sandbox_id), "asked")

    async def set_timeout(self, sandbox_id: str, timeout: timedelta) -> None:
        async with self._step(sandbox_id):
            sandbox = self._running_sandbox(sandbox_id)
            self._keep(sandbox.until(_now() + timeout))

    async def snapshot(self, sandbox_id: str, name: str | None) -> Snapshot:
        """A copy of the files, taken while every process stands still."""
        async with self._step(sandbox_id):
            sandbox = self._running_sandbox(sandbox_id)
            layer = secrets.token_hex(6)
            await self._copy_files(sandbox, layer)
            taken = Snapshot(
                id=f"{name or f'snap{secrets.token_hex(8)}'}:default",
                source=sandbox_id,
                layers=(*sandbox.layers, layer),
                taken_at=_now(),
                name=name,
            )
            self.catalogue.keep(taken)
            note("snapshot_taken", sandbox=sandbox_id, snapshot=taken.id)
            return taken

    def delete_snapshot(self, snapshot_id: str) -> None:
        self.catalogue.forget_snapshot(snapshot_id, runs=self.runs)
        self._empty_trash()

    async def close(self) -> None:
        """Every sandbox is paused, and nothing boots any more."""
        self._closing = True
        for sandbox_id in list(self._running):
            async with self._step(sandbox_id):
                if self.runs(sandbox_id):
                    await self._pause(sandbox_id, "host_closing")
        if self._background:
            await asyncio.wait(self._background, timeout=5)

    async def _create(self, asked: CreateSandbox, key: str | None, fingerprint: str) -> Sandbox:
        layers = self.catalogue.layers_of(asked.template_id)
        sandbox = asked.sandbox(layers, self.isolation, key, fingerprint)
        async with self._step(sandbox.id):
            with self._slot(), _boot_errors(sandbox.id):
                try:
                    sandbox = await asyncio.to_thread(self._ground.lay_out, sandbox)
                    self.catalogue.keep(sandbox)
                    await self._boot(sandbox)
                except BaseException:
                    self.catalogue.undo(sandbox)
                    raise
        note("sandbox_created", sandbox=sandbox.id, template=sandbox.template)
        return sandbox

    async def _boot(self, sandbox: Sandbox) -> None:
        place = self._ground.place(sandbox)
        guest = await boot(self.isolation, self._machine, place)
        environment = ways.environment(self.isolation, self._machine, place, sandbox.environment)
        running = self._running[sandbox.id] = Running(guest, environment)
        self._in_background(self._watch(sandbox.id, running))
        self._keep(sandbox)

    def _keep(self, sandbox: Sandbox) -> Sandbox:
        """Remember when its time is up, and see to it."""
        self.catalogue.keep(sandbox)
        self._running[sandbox.id].expire_in(
            sandbox.end_at - _now(), lambda: self._in_background(self._expire(sandbox.id))
        )
        return sandbox

    def _running_sandbox(self, sandbox_id: str) -> Sandbox:
        sandbox = self.catalogue.sandbox(sandbox_id)
        if not self.runs(sandbox_id):
            raise NotFound(f"sandbox {sandbox_id!r} is not running")
        return sandbox

    async def _copy_files(self, sandbox: Sandbox, layer: str) -> None:
        channel = self._running[sandbox.id].guest.channel
        try:
            await channel.ask("signal_all", signal=signal.SIGSTOP)
            await asyncio.to_thread(self._ground.copy_files, sandbox, layer)
            await channel.ask("signal_all", signal=signal.SIGCONT)
        except GuestGone as error:
            raise Busy(f"sandbox {sandbox.id!r} ended during the snapshot") from error
        except CopyFailed as error:
            await channel.ask("signal_all", signal=signal.SIGCONT)
            raise Busy(f"sandbox {sandbox.id!r} could not be copied: {error}") from error

    async def _expire(self, sandbox_id: str) -> None:
        async with self._step(sandbox_id):
            if not self.runs(sandbox_id):
                return
            sandbox = self.catalogue.sandbox(sandbox_id)
            if sandbox.end_at > _now() + _EARLY:
                return  # it was prolonged while this waited for its turn
            if sandbox.on_timeout == "kill":
                await self._kill(sandbox, "timeout")
            else:
                await self._pause(sandbox_id, "timeout")

    async def _watch(self, sandbox_id: str, running: Running) -> None:
        """A sandbox whose first process ended by itself: its files are kept, as after a pause."""
        await running.guest.channel.closed.wait()
        async with self._step(sandbox_id):
            if self._running.get(sandbox_id) is running:
                await self._pause(sandbox_id, "ended_by_itself")

    async def _pause(self, sandbox_id: str, reason: str) -> None:
        await self._running.pop(sandbox_id).end()
        note("sandbox_paused", sandbox=sandbox_id, reason=reason)

    async def _kill(self, sandbox: Sandbox, reason: str) -> None:
        if running := self._running.pop(sandbox.id, None):
            await running.end()
        self.catalogue.forget_sandbox(sandbox)
        self._empty_trash()
        note("sandbox_killed", sandbox=sandbox.id, reason=reason)

    def _step(self, name: str) -> asyncio.Lock:
        return self._locks.setdefault(name, asyncio.Lock())

    @contextmanager
    def _slot(self) -> Generator[None]:
        if self._closing:
            raise Busy("this host is closing")
        if len(self._running) + self._booting >= self.limit:
            raise TooMany(f"{self.limit} sandboxes run already, which is this host's limit")
        self._booting += 1
        try:
            yield
        finally:
            self._booting -= 1

    def _empty_trash(self) -> None:
        self._in_background(asyncio.to_thread(self._store.empty_trash))

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)


@contextmanager
def _boot_errors(sandbox_id: str) -> Generator[None]:
    try:
        yield
    except (BootFailed, CopyFailed, OSError) as error:
        note("boot_failed", sandbox=sandbox_id, reason=str(error))
        raise Busy(f"the sandbox did not start: {error}", "sandbox_create_failed") from error


def _now() -> datetime:
    return datetime.now(UTC)
