"""Which of a bridge's events ask something of the session."""

from dataclasses import replace

import pytest
from pydantic import ValidationError

from shared.app.bridge_events import (
    MAX_ELAPSED_MS,
    MAX_ERROR_CHARS,
    MAX_NAME_CHARS,
    changes_state,
    commands_of,
)
from shared.domain.session.commands import (
    BecomeReady,
    CompleteBoot,
    FinishPrompt,
    GiveUp,
    ReportPhase,
)
from shared.domain.session.failures import Failure
from shared.domain.session.state import PromptStatus
from shared.domain.tokens import Tokens
from shared.protocol.events import CHANGES_STATE, MAX_TAIL_BYTES


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
        {"type": "execution_complete", "prompt": 2, "status": "failed", "marked": False},
        {"type": "fatal", "error": "no disk"},
    ]

    assert commands_of(told, 4) == [
        ReportPhase(attempt=4, phase="sync"),
        ReportPhase(attempt=4, phase="sync", status="completed"),
        BecomeReady(4),
        FinishPrompt(attempt=4, prompt=1, status=PromptStatus.COMPLETED, cost=0.5),
        FinishPrompt(attempt=4, prompt=2, status=PromptStatus.FAILED, marked=False),
        GiveUp(4, "no disk"),
    ]


def test_tokens_are_told_by_bridges_that_count_them():
    old = {"type": "execution_complete", "prompt": 1, "status": "completed"}
    new = old | {"tokens": {"input": 7, "output": 2, "ofTomorrow": 1}}

    [silent], [telling] = commands_of([old], 4), commands_of([new], 4)

    finished = FinishPrompt(attempt=4, prompt=1, status=PromptStatus.COMPLETED)
    assert silent == finished
    assert telling == replace(finished, tokens=Tokens(input=7, output=2))


@pytest.mark.parametrize("kind", sorted(CHANGES_STATE - {"ready", "boot_completed"}))
def test_a_deciding_event_without_its_fields_is_malformed(kind: str):
    with pytest.raises(ValidationError):
        commands_of([{"type": kind}], 1)


def test_an_agent_that_may_only_read_is_ready_and_its_boot_is_not_over():
    told = [{"type": "ready", "complete": False}, {"type": "boot_completed"}]

    assert commands_of(told, 4) == [BecomeReady(4, complete=False), CompleteBoot(4)]


def test_an_old_bridges_ready_is_the_end_of_its_boot():
    assert commands_of([{"type": "ready"}], 4) == [BecomeReady(4, complete=True)]


@pytest.mark.parametrize(
    ("kind", "failure"),
    [
        ("repository", Failure.REPOSITORY),
        ("script", Failure.SCRIPT),
        ("agent", Failure.AGENT),
        ("runtime", Failure.BOOT),
        ("of tomorrow", Failure.BOOT),
        (None, Failure.BOOT),
    ],
)
def test_what_a_bridge_blames_is_the_class_of_the_failure(kind: str | None, failure: Failure):
    told = {"type": "fatal", "error": "no"} | ({"kind": kind} if kind else {})

    assert commands_of([told], 4) == [GiveUp(4, "no", failure)]


def test_a_phase_is_kept_with_all_that_is_said_of_it():
    told = {
        "type": "boot_progress",
        "phase": "setup",
        "status": "failed",
        "repository": "tool",
        "elapsedMs": 1_500,
        "error": "exit 3",
        "outputTail": "no such file",
    }

    assert commands_of([told], 4) == [
        ReportPhase(
            attempt=4,
            phase="setup",
            status="failed",
            repository="tool",
            elapsed_ms=1_500,
            error="exit 3",
            tail="no such file",
        )
    ]


def test_what_a_sandbox_says_is_kept_in_a_size():
    told = {
        "type": "boot_progress",
        "phase": "setup",
        "status": "failed",
        "repository": "r" * 10_000,
        "elapsedMs": 10**15,
        "warning": "w" * 10_000,
        "error": "e" * 10_000,
        "outputTail": "x" * 100_000 + "the reason",
    }

    (kept,) = commands_of([told], 4)

    assert isinstance(kept, ReportPhase)
    assert len(kept.repository or "") == MAX_NAME_CHARS
    assert len(kept.warning or "") == len(kept.error or "") == MAX_ERROR_CHARS
    assert kept.elapsed_ms == MAX_ELAPSED_MS
    assert len(kept.tail or "") == MAX_TAIL_BYTES
    assert (kept.tail or "").endswith("the reason")


def test_a_clock_that_runs_backwards_in_a_sandbox_took_no_time():
    told = {"type": "boot_progress", "phase": "sync", "status": "completed", "elapsedMs": -5}

    assert commands_of([told], 4) == [
        ReportPhase(attempt=4, phase="sync", status="completed", elapsed_ms=0)
    ]
