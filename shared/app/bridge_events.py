"""What a bridge's events ask of the session. Only the types of `CHANGES_STATE` ask anything."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import TypeAdapter

from shared.domain.session.commands import (
    BecomeReady,
    Command,
    ConfirmStart,
    FinishPrompt,
    GiveUp,
    RecordPush,
    ReportPhase,
)
from shared.domain.session.state import PromptStatus
from shared.protocol import events

_EVENT: TypeAdapter[events.BridgeEvent] = TypeAdapter(events.BridgeEvent)

MAX_ERROR_CHARS = 2_000


def changes_state(told: Iterable[Mapping[str, Any]]) -> bool:
    return any(event.get("type") in events.CHANGES_STATE for event in told)


def commands_of(told: Iterable[Mapping[str, Any]], attempt: int) -> list[Command]:
    """Raises pydantic's `ValidationError` for an event that changes state and is malformed."""
    deciding = (event for event in told if event.get("type") in events.CHANGES_STATE)
    asked = (_command(_EVENT.validate_python(event), attempt) for event in deciding)
    return [command for command in asked if command is not None]


def _command(event: events.BridgeEvent, attempt: int) -> Command | None:
    match event:
        case events.BootProgress(phase=phase, status="started"):
            return ReportPhase(attempt, phase)
        case events.Ready():
            return BecomeReady(attempt)
        case events.Fatal(error=error):
            return GiveUp(attempt, error[:MAX_ERROR_CHARS])
        case events.PromptStarted(prompt=prompt):
            return ConfirmStart(attempt, prompt)
        case events.Pushed():
            return RecordPush(attempt, event.prompt, event.repository, event.branch, event.commit)
        case events.ExecutionComplete():
            return _finish(event, attempt)
        case _:
            return None


def _finish(event: events.ExecutionComplete, attempt: int) -> FinishPrompt:
    return FinishPrompt(
        attempt=attempt,
        prompt=event.prompt,
        status=PromptStatus(event.status),
        error=event.error[:MAX_ERROR_CHARS] if event.error else None,
        branch=event.branch,
        commit=event.commit,
        cost=event.cost,
    )
