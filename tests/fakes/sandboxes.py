"""Sandboxes in memory, that can be told to fail, or to lose an answer after doing the work."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from shared.app.ports.sandboxes import (
    SandboxGone,
    SandboxInfo,
    SandboxRefused,
    SandboxUnavailable,
)


@dataclass
class Machine:
    """What a fake sandbox holds, for a test to look at."""

    info: SandboxInfo
    environment: Mapping[str, str]
    snapshot: str | None
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    started: list[str] = field(default_factory=list[str])
    boots: int = 1


@dataclass
class FakeSandboxes:
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    snapshots: set[str] = field(default_factory=set[str])
    """That exist; any other is refused."""
    machines: dict[str, Machine] = field(default_factory=dict[str, Machine])
    calls: list[tuple[str, dict[str, object]]] = field(
        default_factory=list[tuple[str, dict[str, object]]]
    )
    _created: dict[str, tuple[str, object]] = field(
        default_factory=dict[str, tuple[str, object]], init=False
    )
    _before: list[Exception] = field(default_factory=list[Exception], init=False)
    _after: list[Exception] = field(default_factory=list[Exception], init=False)

    def fail_next(self, error: Exception) -> None:
        """The next call does nothing and raises."""
        self._before.append(error)

    def lose_next_answer(self, error: Exception) -> None:
        """The next call does its work, and raises all the same."""
        self._after.append(error)

    def create(
        self,
        *,
        key: str,
        metadata: Mapping[str, str],
        environment: Mapping[str, str],
        timeout: timedelta,
        snapshot: str | None = None,
    ) -> SandboxInfo:
        asked = (dict(metadata), dict(environment), timeout, snapshot)
        with self._call("create", key=key, metadata=dict(metadata), snapshot=snapshot):
            if known := self._created.get(key):
                if known[1] != asked:
                    raise SandboxUnavailable("this key was used for another request")
                return self.machine(known[0]).info
            if snapshot is not None and snapshot not in self.snapshots:
                raise SandboxRefused(f"no template {snapshot!r}")
            provider_id = f"fake-{len(self._created) + 1}"
            info = SandboxInfo(provider_id, "running", self.now() + timeout, dict(metadata))
            self.machines[provider_id] = Machine(info, dict(environment), snapshot)
            self._created[key] = (provider_id, asked)
            return info

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

    def keep_until(self, provider_id: str, timeout: timedelta) -> None:
        with self._call("keep_until", provider_id=provider_id):
            machine = self._running(provider_id)
            machine.info = replace(machine.info, ends_at=self.now() + timeout)

    def write_secret(self, provider_id: str, path: str, content: bytes) -> None:
        with self._call("write_secret", provider_id=provider_id, path=path):
            self._running(provider_id).files[path] = content

    def start(self, provider_id: str, command: str) -> None:
        with self._call("start", provider_id=provider_id, command=command):
            self._running(provider_id).started.append(command)

    def machine(self, provider_id: str) -> Machine:
        if provider_id not in self.machines:
            raise SandboxGone(f"no sandbox {provider_id!r}")
        return self.machines[provider_id]

    def _running(self, provider_id: str) -> Machine:
        machine = self.machine(provider_id)
        if machine.info.state == "paused":
            raise SandboxRefused(f"sandbox {provider_id!r} is paused")
        return machine

    @contextmanager
    def _call(self, name: str, **arguments: object) -> Generator[None]:
        """A secret's content is not among the arguments: tests print what was called."""
        self.calls.append((name, arguments))
        if self._before:
            raise self._before.pop(0)
        yield
        if self._after:
            raise self._after.pop(0)
