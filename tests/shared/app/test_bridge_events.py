"""Which of a bridge's events ask something of the session."""

import pytest
from pydantic import ValidationError

from shared.app.bridge_events import changes_state, commands_of
from shared.domain.session.commands import BecomeReady, FinishPrompt, GiveUp, ReportPhase
from shared.domain.session.state import PromptStatus
from shared.protocol.events import CHANGES_STATE


def test_text_and_unknown_types_ask_nothing():
    told = [{"type": "text_delta", "prompt": 1}, {"type": "of tomorrow"}, {}]

    assert not changes_state(told)
    assert commands_of(told, 1) == []


def test_each_deciding_event_becomes_its_command_in_order():
    told = [
        {"type": "boot_progress", "phase": "sync", "status": "started"},
        {"type": "boot_progress", "phase": "sync", "status": "completed"},
        {"type": "text", "prompt": 1},
        {"type": "ready"},
        {"type": "execution_complete", "prompt": 1, "status": "completed", "cost": 0.5},
        {"type": "fatal", "error": "no disk"},
    ]

    assert commands_of(told, 4) == [
        ReportPhase(attempt=4, phase="sync"),
        ReportPhase(attempt=4, phase="sync", status="completed"),
        BecomeReady(4),
        FinishPrompt(attempt=4, prompt=1, status=PromptStatus.COMPLETED, cost=0.5),
        GiveUp(4, "no disk"),
    ]


@pytest.mark.parametrize("kind", sorted(CHANGES_STATE - {"ready", "boot_completed"}))
def test_a_deciding_event_without_its_fields_is_malformed(kind: str):
    with pytest.raises(ValidationError):
        commands_of([{"type": kind}], 1)
