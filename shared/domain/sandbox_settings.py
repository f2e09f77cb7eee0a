"""What a session asks of its sandboxes: chosen for everything, for a repository, or not at all.

A blank inherits: a repository's own value, else the one for everything, else the deployment's.
What comes of it is pinned when a session is created, and later edits do not touch it.
"""

from dataclasses import dataclass, fields, replace
from datetime import timedelta
from typing import Self

from shared.domain.errors import Invalid

MAX_TUNNELS = 10
MAX_PORT = 65_535
RESERVED_PORTS = frozenset({5900, 7681, 49983})
"""A desktop's, a terminal's, and the provider's own agent."""

MIN_LIFETIME = timedelta(minutes=1)
MAX_LIFETIME = timedelta(hours=24)
MIN_FINAL_BUFFER = timedelta(minutes=5)
DEFAULT_FINAL_BUFFER = timedelta(minutes=10)
MIN_INACTIVITY = timedelta(minutes=1)
MAX_INACTIVITY = timedelta(hours=12)
MAX_CPU_CORES = 32
MIN_MEMORY_MIB = 512
MAX_MEMORY_MIB = 256 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSettings:
    """None everywhere: nothing was chosen at this level."""

    lifetime: timedelta | None = None
    """How long a sandbox is asked for: "Session Timeout"."""
    final_buffer: timedelta | None = None
    """Before its end: to stop work, save the files and put the sandbox away."""
    inactivity: timedelta | None = None
    tunnel_ports: tuple[int, ...] | None = None
    cpu_cores: int | None = None
    memory_mib: int | None = None

    def over(self, inherited: Self) -> Self:
        """These, and the inherited ones where these are blank."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        return replace(inherited, **{name: it for name, it in given.items() if it is not None})

    @property
    def leaves_time(self) -> bool:
        """Before the final buffer begins, as far as both are known."""
        if self.lifetime is None or self.final_buffer is None:
            return True
        return self.final_buffer < self.lifetime

    def check(self) -> None:
        """Each by itself; see `leaves_time`. Raises `Invalid` with the name of the field."""
        _within("lifetime", self.lifetime, MIN_LIFETIME, MAX_LIFETIME)
        _within("inactivity", self.inactivity, MIN_INACTIVITY, MAX_INACTIVITY)
        _within("final_buffer", self.final_buffer, MIN_FINAL_BUFFER, MAX_LIFETIME)
        _check_ports(self.tunnel_ports or ())
        _between("cpu_cores", self.cpu_cores, 1, MAX_CPU_CORES)
        _between("memory_mib", self.memory_mib, MIN_MEMORY_MIB, MAX_MEMORY_MIB)


NOTHING_CHOSEN = SandboxSettings()


def minutes(duration: timedelta) -> str:
    return f"{duration / timedelta(minutes=1):g}"


def _within(field: str, duration: timedelta | None, least: timedelta, most: timedelta) -> None:
    if duration is None:
        return
    if duration % timedelta(seconds=1):
        raise Invalid(field, "it has to be whole seconds")
    if not least <= duration <= most:
        raise Invalid(field, f"it has to be between {minutes(least)} and {minutes(most)} minutes")


def _between(field: str, number: int | None, least: int, most: int) -> None:
    if number is not None and not least <= number <= most:
        raise Invalid(field, f"it has to be between {least} and {most}")


def _check_ports(ports: tuple[int, ...]) -> None:
    if len(ports) > MAX_TUNNELS:
        raise Invalid("tunnel_ports", f"{len(ports)} are more than {MAX_TUNNELS}")
    if len(set(ports)) < len(ports):
        raise Invalid("tunnel_ports", "a port is named twice")
    for port in ports:
        if not 1 <= port <= MAX_PORT or port in RESERVED_PORTS:
            raise Invalid("tunnel_ports", f"{port} is no port that a tunnel can lead to")
