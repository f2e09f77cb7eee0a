"""What is chosen about sandboxes, between the domain's values and the wire's."""

from datetime import timedelta

from shared.app.ports.sandbox_settings import Chosen
from shared.domain.errors import Invalid
from shared.domain.repository_url import RepositoryKey
from shared.domain.sandbox_settings import SandboxSettings
from shared.protocol.settings import SandboxSettingsChoice, SandboxSettingsView, SettingsLevel

_SECOND = timedelta(seconds=1)

_ON_THE_WIRE = {
    "lifetime": "settings.lifetimeSeconds",
    "final_buffer": "settings.finalBufferSeconds",
    "inactivity": "settings.inactivitySeconds",
    "tunnel_ports": "settings.tunnelPorts",
    "cpu_cores": "settings.cpuCores",
    "memory_mib": "settings.memoryMib",
}


def to_settings(view: SandboxSettingsChoice) -> SandboxSettings:
    return SandboxSettings(
        lifetime=_duration(view.lifetime_seconds),
        final_buffer=_duration(view.final_buffer_seconds),
        inactivity=_duration(view.inactivity_seconds),
        tunnel_ports=None if view.tunnel_ports is None else tuple(view.tunnel_ports),
        cpu_cores=view.cpu_cores,
        memory_mib=view.memory_mib,
    )


def of_settings(settings: SandboxSettings) -> SandboxSettingsView:
    return SandboxSettingsView(
        lifetime_seconds=_seconds(settings.lifetime),
        final_buffer_seconds=_seconds(settings.final_buffer),
        inactivity_seconds=_seconds(settings.inactivity),
        tunnel_ports=None if settings.tunnel_ports is None else list(settings.tunnel_ports),
        cpu_cores=settings.cpu_cores,
        memory_mib=settings.memory_mib,
    )


def of_level(repository: RepositoryKey | None, chosen: Chosen | None) -> SettingsLevel:
    if chosen is None:
        nothing = SandboxSettingsView()
        return SettingsLevel(
            repository=repository, settings=nothing, version=None, changed_by=None, changed_at=None
        )
    return SettingsLevel(
        repository=repository,
        settings=of_settings(chosen.settings),
        version=chosen.version,
        changed_by=chosen.by,
        changed_at=chosen.at,
    )


def on_the_wire(error: Invalid) -> Invalid:
    """The same, with the field as the caller knows it."""
    return Invalid(_ON_THE_WIRE.get(error.field, error.field), error.problem)


def _duration(seconds: int | None) -> timedelta | None:
    return None if seconds is None else seconds * _SECOND


def _seconds(duration: timedelta | None) -> int | None:
    return None if duration is None else duration // _SECOND
