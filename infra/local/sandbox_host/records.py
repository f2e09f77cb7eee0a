"""What this host remembers of a sandbox and a snapshot, and how that stands on disk.

Whether a sandbox runs is not remembered: a host that starts again finds every sandbox paused.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from typing import Any, Literal, Self

type OnTimeout = Literal["pause", "kill"]
type Isolation = Literal["bubblewrap+overlay", "bubblewrap", "plain"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    id: str
    template: str
    """As the creator named it: the base template or a snapshot."""
    layers: tuple[str, ...]
    """Copies of files that this sandbox stands on, lowest first, above the base."""
    isolation: Isolation
    """In which it ran last. Overlaid files are only what differs from the layers."""
    metadata: Mapping[str, str]
    environment: Mapping[str, str]
    on_timeout: OnTimeout
    access_token: str
    started_at: datetime
    end_at: datetime
    public_traffic: bool = False
    key: str | None = None
    """Of the request that created it, hashed, with a fingerprint of what it asked for."""
    fingerprint: str | None = None

    def until(self, moment: datetime) -> Self:
        return replace(self, end_at=moment)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    id: str
    source: str
    layers: tuple[str, ...]
    taken_at: datetime
    name: str | None = None
    """That it was given, with its team: what is taken again under it takes its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A killed sandbox's creation, kept so that a repeated request does not create another."""

    key: str
    fingerprint: str
    id: str
    template: str
    access_token: str


type Record = Sandbox | Snapshot | Ended


def to_json(record: Record) -> dict[str, Any]:
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in asdict(record).items()
    }


def from_json[R: (Sandbox, Snapshot, Ended)](kind: type[R], stored: Mapping[str, Any]) -> R:
    """Raises ValueError, TypeError or AttributeError for what this version did not write."""
    known = [field.name for field in fields(kind) if field.name in stored]
    return kind(**{name: _value(name, stored[name]) for name in known})


def unreferenced(
    layers: Iterable[str], sandboxes: Iterable[Sandbox], snapshots: Iterable[Snapshot]
) -> frozenset[str]:
    """Layers that nobody stands on any more, among those there are."""
    used = {layer for record in (*sandboxes, *snapshots) for layer in record.layers}
    return frozenset(layers) - used


def _value(name: str, stored: Any) -> Any:
    if name.endswith("_at"):
        return datetime.fromisoformat(stored)
    return tuple(stored) if name == "layers" else stored
