"""What is chosen about sandboxes, as JSON: whole seconds, and null for what is not chosen."""

from datetime import datetime, timedelta
from typing import Annotated

from annotated_types import Ge, Le, MaxLen
from pydantic import StrictInt

from shared.domain.sandbox_settings import (
    MAX_CPU_CORES,
    MAX_INACTIVITY,
    MAX_LIFETIME,
    MAX_MEMORY_MIB,
    MAX_PORT,
    MAX_TUNNELS,
    MIN_FINAL_BUFFER,
    MIN_INACTIVITY,
    MIN_LIFETIME,
    MIN_MEMORY_MIB,
)
from shared.protocol.base import Identifier, Strict

_SECOND = timedelta(seconds=1)

type Lifetime = Annotated[StrictInt, Ge(MIN_LIFETIME // _SECOND), Le(MAX_LIFETIME // _SECOND)]
type FinalBuffer = Annotated[
    StrictInt, Ge(MIN_FINAL_BUFFER // _SECOND), Le(MAX_LIFETIME // _SECOND)
]
type Inactivity = Annotated[StrictInt, Ge(MIN_INACTIVITY // _SECOND), Le(MAX_INACTIVITY // _SECOND)]
type Port = Annotated[StrictInt, Ge(1), Le(MAX_PORT)]
type Ports = Annotated[list[Port], MaxLen(MAX_TUNNELS)]
type Cores = Annotated[StrictInt, Ge(1), Le(MAX_CPU_CORES)]
type Mebibytes = Annotated[StrictInt, Ge(MIN_MEMORY_MIB), Le(MAX_MEMORY_MIB)]


class SandboxSettingsView(Strict):
    """null: nothing is chosen here, what is chosen above counts. No ports are a choice, too."""

    lifetime_seconds: int | None = None
    final_buffer_seconds: int | None = None
    inactivity_seconds: int | None = None
    tunnel_ports: list[int] | None = None
    cpu_cores: int | None = None
    memory_mib: int | None = None


class SandboxSettingsChoice(SandboxSettingsView):
    """What may be chosen. What is shown may be older than these bounds, or the deployment's own."""

    lifetime_seconds: Lifetime | None = None
    final_buffer_seconds: FinalBuffer | None = None
    inactivity_seconds: Inactivity | None = None
    tunnel_ports: Ports | None = None
    cpu_cores: Cores | None = None
    memory_mib: Mebibytes | None = None


class NewSandboxSettings(Strict):
    """All of one level. `version` is the one that was read; null: there was none."""

    settings: SandboxSettingsChoice
    version: Identifier | None = None


class SettingsLevel(Strict):
    """What is chosen for everything, or for one repository."""

    repository: str | None
    settings: SandboxSettingsView
    version: str | None
    """null: nothing was ever chosen here."""
    changed_by: str | None
    changed_at: datetime | None


class SettingsLevelList(Strict):
    repositories: list[SettingsLevel]


class SettingsInEffect(Strict):
    """What the next session on this repository gets; what is null is the template's own."""

    repository: str
    settings: SandboxSettingsView
