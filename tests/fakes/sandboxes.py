"""Sandboxes in memory, that can be told to fail, or to lose an answer after doing the work."""

import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from shared.app.ports.sandboxes import (
    ANY_SIZE,
    SandboxGone,
    SandboxInfo,
    SandboxRefused,
    SandboxSize,
    SandboxUnavailable,
    SnapshotGone,
)

_TEAM = "fake"
_VOLATILE = ("/dev/", "/run/", "/tmp/")


@dataclass
class Machine:
    """What a fake sandbox holds, for a test to look at."""

    info: SandboxInfo
    environment: Mapping[str, str]
    snapshot: str | None
    tunnels: bool = False
    size: SandboxSize = ANY_SIZE
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    started: list[str] = field(default_factory=list[str])
    boots: int = 1


@dataclass
class FakeSandboxes:
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    copies: dict[str, dict[str, bytes]] = field(default_factory=dict[str, dict[str, bytes]])
    """That exist, with their files; any other is refused."""
    sizes: set[SandboxSize] = field(default_factory=lambda: {ANY_SIZE})
    """That templates were built in; any other is refused."""
    machines: dict[str, Machine] = field(default_factory=dict[str, Machine])
    calls: list[tuple[str, dict[str, object]]] = field(
        default_factory=list[tuple[str, dict[str, object]]]
    )
    _created: dict[str, tuple[str, object]] = field(
        default_factory=dict[str, tuple[str, object]], init=False
    )
    _before: list[Exception] = field(default_factory=list[Exception], init=False)
    _before_of: dict[str, Exception] = field(default_factory=dict[str, Exception], init=False)
    _after: list[Exception] = field(default_factory=list[Exception], init=False)
    _after_of: dict[str, Exception] = field(default_factory=dict[str, Exception], init=False)

    def fail_next(self, error: Exception) -> None:
        """The next call does nothing and raises."""
        self._before.append(error)

    def fail_next_of(self, called: str, error: Exception) -> None:
        """The next call of that name does nothing and raises."""
        self._before_of[called] = error

    def lose_next_answer(self, error: Exception) -> None:
        """The next call does its work, and raises all the same."""
        self._after.append(error)

    def lose_next_answer_of(self, called: str, error: Exception) -> None:
        """The next call of that name does its work, and raises all the same."""
        self._after_of[called] = error

    def create(
        self,
        *,
        key: str,
        metadata: Mapping[str, str],
        environment: Mapping[str, str],
        timeout: timedelta,
        snapshot: str | None = None,
        tunnels: bool = False,
        size: SandboxSize = ANY_SIZE,
    ) -> SandboxInfo:
        asked = (dict(metadata), dict(environment), timeout, snapshot, tunnels, size)
        with self._call("create", key=key, metadata=dict(metadata), snapshot=snapshot):
            if known := self._created.get(key):
                if known[1] != asked:
                    raise SandboxUnavailable("this key was used for another request")
                return self.machine(known[0]).info
            machine = self._machine(metadata, timeout, snapshot, size)
            machine.environment, machine.tunnels = dict(environment), tunnels
            self.machines[machine.info.provider_id] = machine
            self._created[key] = (machine.info.provider_id, asked)
            return machine.info

    def resume(self, provider_id: str, *, timeout: timedelta) -> SandboxInfo:
        with self._call("resume", provider_id=provider_id):
            machine, until = self.machine(provider_id), self.now() + timeout
            if machine.info.ends_at is None:
                machine.boots += 1
            ends_at = max(until, machine.info.ends_at or until)
            machine.info = replace(machine.info, state="running", ends_at=ends_at)
            return machine.info

    def pause(self, provider_id: str) -> None:
        with self._call("pause", provider_id=provider_id):
            machine = self.machine(provider_id)
            machine.info = replace(machine.info, state="paused", ends_at=None)
            machine.files = _kept(machine.files)

    def kill(self, provider_id: str) -> None:
        with self._call("kill", provider_id=provider_id):
            self.machines.pop(provider_id, None)

    def find(self, metadata: Mapping[str, str]) -> tuple[SandboxInfo, ...]:
        with self._call("find", metadata=dict(metadata)):
            infos = (machine.info for machine in self.machines.values())
            return tuple(info for info in infos if metadata.items() <= info.metadata.items())

    def info(self, provider_id: str) -> SandboxInfo:
        with self._call("info", provider_id=provider_id):
            return self.machine(provider_id).info

    def address(self, provider_id: str, port: int) -> str:
        with self._call("address", provider_id=provider_id, port=port):
            self.machine(provider_id)
            return f"https://{port}-{provider_id}.sandboxes.example"

    def write_secret(self, provider_id: str, path: str, content: bytes) -> None:
        with self._call("write_secret", provider_id=provider_id, path=path):
            self._running(provider_id).files[path] = content

    def start(self, provider_id: str, command: str) -> None:
        with self._call("start", provider_id=provider_id, command=command):
            self._running(provider_id).started.append(command)

    def snapshot(self, provider_id: str, name: str) -> str:
        with self._call("snapshot", provider_id=provider_id, name=name):
            if not re.fullmatch(r"[a-z0-9_-]+", name):
                raise SandboxRefused(f"a snapshot can't be called {name!r}")
            snapshot_id = f"{_TEAM}/{name}:default"
            self.copies[snapshot_id] = _kept(self._running(provider_id).files)
            return snapshot_id

    def find_snapshot(self, name: str) -> str | None:
        with self._call("find_snapshot", name=name):
            snapshot_id = f"{_TEAM}/{name}:default"
            return snapshot_id if snapshot_id in self.copies else None

    def snapshots(self, prefix: str) -> Mapping[str, str]:
        with self._call("snapshots", prefix=prefix):
            names = {
                name.removeprefix(f"{_TEAM}/").removesuffix(":default"): name
                for name in self.copies
            }
            return {name: it for name, it in names.items() if name.startswith(prefix)}

    def forget_snapshot(self, snapshot_id: str) -> None:
        with self._call("forget_snapshot", snapshot_id=snapshot_id):
            machines = self.machines.values()
            if any(one.snapshot == snapshot_id and one.info.ends_at is None for one in machines):
                raise SandboxRefused(f"a paused sandbox was created from {snapshot_id!r}")
            self.copies.pop(snapshot_id, None)

    def machine(self, provider_id: str) -> Machine:
        if provider_id not in self.machines:
            raise SandboxGone(f"no sandbox {provider_id!r}")
        return self.machines[provider_id]

    def _machine(
        self,
        metadata: Mapping[str, str],
        timeout: timedelta,
        snapshot: str | None,
        size: SandboxSize,
    ) -> Machine:
        if snapshot is not None and snapshot not in self.copies:
            raise SnapshotGone(f"no snapshot {snapshot!r}")
        if snapshot is None and size not in self.sizes:
            raise SandboxRefused(f"no template of {size}")
        provider_id, now = f"fake-{len(self._created) + 1}", self.now()
        info = SandboxInfo(provider_id, "running", now + timeout, dict(metadata), now)
        files = dict(self.copies[snapshot]) if snapshot is not None else {}
        return Machine(info, {}, snapshot, size=size, files=files)

    def _running(self, provider_id: str) -> Machine:
        machine = self.machine(provider_id)
        if machine.info.state == "paused":
            raise SandboxRefused(f"sandbox {provider_id!r} is paused")
        return machine

    @contextmanager
    def _call(self, called: str, **arguments: object) -> Generator[None]:
        """A secret's content is not among the arguments: tests print what was called."""
        self.calls.append((called, arguments))
        if called in self._before_of:
            raise self._before_of.pop(called)
        if self._before:
            raise self._before.pop(0)
        yield
        if called in self._after_of:
            raise self._after_of.pop(called)
        if self._after:
            raise self._after.pop(0)


def _kept(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """What is in memory only is in no pause and no snapshot."""
    return {path: content for path, content in files.items() if not path.startswith(_VOLATILE)}
