"""The control plane's messages, as the E2B API has them.

What this host cannot keep (memory snapshots, egress rules, mounts) is refused and never ignored: a
caller who asked for a closed network must not believe in one.
"""

import os
import secrets
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from infra.local.sandbox_host.records import Ended, Isolation, Sandbox, Snapshot

ENVD_VERSION = "0.6.0"
"""What sandboxes say they speak: below it the SDK asks for less, above it for file metadata."""

_SIZE = {"cpuCount": os.cpu_count() or 1, "memoryMB": 0, "diskSizeMB": 0}
"""Sandboxes share the machine; the SDK insists on numbers."""

_LONGEST = int(timedelta(days=1).total_seconds())

type Seconds = int


class _Asked(BaseModel):
    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True
    )


class AutoResume(_Asked):
    enabled: Literal[False]


class Network(_Asked):
    allow_public_traffic: bool | None = None
    """Kept to be told. Sandboxes have the machine's network, which is as public as it is."""


class CreateSandbox(_Asked):
    template_id: str = Field(alias="templateID", min_length=1, max_length=256)
    timeout: Seconds = Field(300, ge=0, le=_LONGEST)
    auto_pause: bool = False
    auto_pause_memory: bool = True
    auto_resume: AutoResume | None = None
    metadata: dict[str, str] = Field(default_factory=dict)
    env_vars: dict[str, str] = Field(default_factory=dict)
    network: Network | None = None
    allow_internet_access: Literal[True] | None = Field(None, alias="allow_internet_access")
    secure: bool | None = None

    @model_validator(mode="after")
    def _keeps_files_only(self) -> Self:
        if self.auto_pause and self.auto_pause_memory:
            raise ValueError("autoPauseMemory must be false: this host keeps files, not memory")
        return self

    def sandbox(
        self, layers: tuple[str, ...], isolation: Isolation, key: str | None, fingerprint: str
    ) -> Sandbox:
        """A new one, as it is asked for."""
        now = datetime.now(UTC)
        return Sandbox(
            id=f"i{secrets.token_hex(10)}",
            template=self.template_id,
            layers=layers,
            isolation=isolation,
            metadata=self.metadata,
            environment=self.env_vars,
            on_timeout="pause" if self.auto_pause else "kill",
            access_token=secrets.token_urlsafe(24),
            started_at=now,
            end_at=now + timedelta(seconds=self.timeout),
            public_traffic=bool(self.network and self.network.allow_public_traffic),
            key=key,
            fingerprint=fingerprint,
        )


class ConnectSandbox(_Asked):
    timeout: Seconds = Field(300, ge=0, le=_LONGEST)
    memory: bool | None = None
    """Nothing to restore: every pause here kept files only, so a resume is always a boot."""


class _FilesOnly(_Asked):
    memory: bool = True

    @model_validator(mode="after")
    def _keeps_files_only(self) -> Self:
        if self.memory:
            raise ValueError("memory must be false: this host keeps files, not memory")
        return self


class PauseSandbox(_FilesOnly):
    require_healthy_guest: bool = False


class SnapshotSandbox(_FilesOnly):
    name: str | None = Field(None, pattern=r"^[a-z0-9_-]{1,128}$")


class SetTimeout(_Asked):
    timeout: Seconds = Field(ge=0, le=_LONGEST)


def created(sandbox: Sandbox | Ended) -> dict[str, Any]:
    return {
        "sandboxID": sandbox.id,
        "templateID": sandbox.template,
        "alias": sandbox.template,
        "clientID": "local",
        "envdVersion": ENVD_VERSION,
        "envdAccessToken": sandbox.access_token,
        "domain": None,
    }


def listed(sandbox: Sandbox, *, running: bool) -> dict[str, Any]:
    return {
        "sandboxID": sandbox.id,
        "templateID": sandbox.template,
        "alias": sandbox.template,
        "clientID": "local",
        "envdVersion": ENVD_VERSION,
        "startedAt": moment(sandbox.started_at),
        "endAt": moment(sandbox.end_at),
        "state": "running" if running else "paused",
        "metadata": dict(sandbox.metadata),
        **_SIZE,
    }


def detail(sandbox: Sandbox, *, running: bool) -> dict[str, Any]:
    paused = {} if running else {"pauseMode": "filesystem"}
    return {
        **listed(sandbox, running=running),
        "envdAccessToken": sandbox.access_token,
        "domain": None,
        "network": {"allowPublicTraffic": sandbox.public_traffic},
        "lifecycle": {"onTimeout": sandbox.on_timeout, "autoResume": False},
        **paused,
    }


def snapshot(taken: Snapshot) -> dict[str, Any]:
    return {"snapshotID": taken.id, "names": [taken.name] if taken.name else []}


def moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
