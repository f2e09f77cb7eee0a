"""What a bridge's events ask of the session. Only the types of `CHANGES_STATE` ask anything."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import TypeAdapter

from shared.domain.session.commands import (
    BecomeReady,
    Command,
    CompleteBoot,
    ConfirmStart,
    FinishPrompt,
    GiveUp,
    RecordPush,
    ReportPhase,
)
from shared.domain.session.failures import Failure
from shared.domain.session.state import PromptStatus
from shared.protocol import events
from shared.protocol.tokens import of_counts

_EVENT: TypeAdapter[events.BridgeEvent] = TypeAdapter(events.BridgeEvent)

MAX_ERROR_CHARS = 2_000
MAX_NAME_CHARS = 300
MAX_ELAPSED_MS = 24 * 60 * 60 * 1_000

_FAILURES = {
    "repository": Failure.REPOSITORY,
    "script": Failure.SCRIPT,
    "agent": Failure.AGENT,
}


def changes_state(told: Iterable[Mapping[str, Any]]) -> bool:
    return any(event.get("type") in events.CHANGES_STATE for event in told)


def commands_of(told: Iterable[Mapping[str, Any]], attempt: int) -> list[Command]:
    """Raises pydantic's `ValidationError` for an event that changes state and is malformed."""
    deciding = (event for event in told if event.get("type") in events.CHANGES_STATE)
    asked = (_command(_EVENT.validate_python(event), attempt) for event in deciding)
    return [command for command in asked if command is not None]


def _command(event: events.BridgeEvent, attempt: int) -> Command | None:
    match event:
        case events.BootProgress():
            return _phase(event, attempt)
        case events.Ready(complete=complete):
            return BecomeReady(attempt, complete)
        case events.BootCompleted():
            return CompleteBoot(attempt)
        case events.Fatal(error=error, kind=kind):
            return GiveUp(attempt, error[:MAX_ERROR_CHARS], _FAILURES.get(kind, Failure.BOOT))
        case events.PromptStarted(prompt=prompt):
            return ConfirmStart(attempt, prompt)
        case events.Pushed():
            return RecordPush(attempt, event.prompt, event.repository, event.branch, event.commit)
        case events.ExecutionComplete():
            return _finish(event, attempt)
        case _:
            return None


def _phase(event: events.BootProgress, attempt: int) -> ReportPhase:
    """A sandbox may say anything; what is kept of it has a size. Of output the end counts."""
    return ReportPhase(
        attempt=attempt,
        phase=event.phase,
        status=event.status,
        repository=_cut(event.repository, MAX_NAME_CHARS),
        elapsed_ms=min(max(0, event.elapsed_ms), MAX_ELAPSED_MS),
        warning=_cut(event.warning, MAX_ERROR_CHARS),
        error=_cut(event.error, MAX_ERROR_CHARS),
        tail=event.output_tail[-events.MAX_TAIL_BYTES :] if event.output_tail else None,
    )


def _cut(text: str | None, chars: int) -> str | None:
    return text[:chars] if text else None


def _finish(event: events.ExecutionComplete, attempt: int) -> FinishPrompt:
    return FinishPrompt(
        attempt=attempt,
        prompt=event.prompt,
        status=PromptStatus(event.status),
        error=event.error[:MAX_ERROR_CHARS] if event.error else None,
        branch=event.branch,
        commit=event.commit,
        cost=event.cost,
        tokens=of_counts(event.tokens),
        marked=event.marked,
    )
