"""Entries of a timeline and views of a session, for the client's tests."""

from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel

from shared.protocol.api import EntryView, RepositoryView, SandboxView, SessionView
from shared.protocol.client import Frame, Item
from shared.protocol.settings import SandboxSettingsView
from shared.protocol.tokens import TokenCounts

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
HEX = "0123456789abcdef0123456789abcdef01234567"


def json(event: BaseModel) -> dict[str, Any]:
    return event.model_dump(mode="json", by_alias=True, exclude_none=True)


def entry(seq: int, *events: BaseModel | dict[str, Any], attempt: int | None = None) -> EntryView:
    raw = [event if isinstance(event, dict) else json(event) for event in events]
    return EntryView(seq=seq, at=NOW, attempt=attempt, events=raw)


def frame(seq: int, *events: BaseModel, attempt: int | None = None) -> Frame:
    items = [Item(type="sandbox_event", event=json(event)) for event in events]
    return Frame(seq=seq, at=NOW, attempt=attempt, items=items)


def sandbox(status: str, *, attempt: int | None = None) -> SandboxView:
    return SandboxView(
        status=status,
        attempt=attempt,
        phase=None,
        repository=None,
        error=None,
        expires_at=None,
        tunnels={},
        saved_at=None,
    )


def session(**fields: Any) -> SessionView:
    plain = SessionView(
        id="s1abc",
        title="add a flag",
        owner="ada",
        status="active",
        sandbox=sandbox("ready", attempt=1),
        repositories=[
            RepositoryView(
                url="https://git.example.com/acme/tool.git",
                name="tool",
                branch=None,
                label="https://git.example.com/acme/tool.git",
            )
        ],
        model="acme/large",
        effort=None,
        settings=SandboxSettingsView(),
        demo=False,
        prompts=1,
        unfinished=0,
        finished=None,
        running=None,
        held=False,
        retry_at=None,
        branch=None,
        commit=None,
        cost=0.0,
        tokens=TokenCounts(),
        created_at=NOW,
        updated_at=NOW,
    )
    return plain.model_copy(update=fields)
