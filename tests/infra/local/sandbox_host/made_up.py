"""Records to test with, of which a test names only what matters."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from infra.local.sandbox_host.records import Sandbox, Snapshot

_MOMENT = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)
_SANDBOX = Sandbox(
    id="i1",
    template="outboard",
    layers=(),
    isolation="bubblewrap+overlay",
    metadata={},
    environment={},
    on_timeout="pause",
    access_token="token",
    started_at=_MOMENT,
    end_at=_MOMENT,
)
_SNAPSHOT = Snapshot(id="snap1:default", source="i1", layers=("l1",), taken_at=_MOMENT)


def sandbox(**changes: Any) -> Sandbox:
    return replace(_SANDBOX, **changes)


def snapshot(**changes: Any) -> Snapshot:
    return replace(_SNAPSHOT, **changes)
