"""Prompts: taken back while they wait, stopped while they run."""

from datetime import timedelta

import pytest

from shared.domain.errors import NotFound, Rejected
from shared.domain.session.commands import CancelPrompt, Stop
from shared.domain.session.decision import NOTHING, ArmTimer, Decision
from shared.domain.session.facts import (
    IdleSince,
    PromptDispatched,
    PromptFinished,
    SessionMoved,
    StopRequested,
    TurnLeft,
)
from shared.domain.session.sandbox import Ending
from shared.domain.session.state import PromptStatus, SessionStatus, Stopping, StopReason
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import (
    FIRST,
    SECOND,
    STOPPING,
    THIRD,
    after,
    ask,
    finish,
)

ADA = build.ADA.user
IN_TEN_MINUTES = build.NOW + timedelta(minutes=10)


def test_a_waiting_prompt_is_taken_back():
    session = situations.running(SECOND, THIRD)

    decision = ask(session, CancelPrompt(2))

    assert decision == Decision((PromptFinished(number=2, status=PromptStatus.CANCELLED),))


def test_the_running_prompt_is_stopped_not_taken_back():
    with pytest.raises(Rejected, match="prompt 1 is running; stop it instead"):
        ask(situations.running(SECOND), CancelPrompt(1))


def test_a_prompt_that_is_not_waiting_cannot_be_taken_back():
    once = after(situations.running(SECOND), CancelPrompt(2))

    for number in (2, 7):
        with pytest.raises(NotFound, match=f"no prompt {number} is queued"):
            ask(once, CancelPrompt(number))


def test_a_session_whose_only_prompt_was_taken_back_is_a_draft_again():
    session = situations.spawning(FIRST)

    decision = ask(session, CancelPrompt(1))

    assert decision == Decision(
        (
            PromptFinished(number=1, status=PromptStatus.CANCELLED),
            SessionMoved(SessionStatus.CREATED),
        )
    )


def test_taking_a_prompt_back_leaves_the_last_run_as_it_was():
    session = situations.ended(Ending.INACTIVE, SECOND, last_outcome=PromptStatus.COMPLETED)

    taken_back = after(session, CancelPrompt(2))

    assert taken_back.status is SessionStatus.COMPLETED
    assert taken_back.last_outcome is PromptStatus.COMPLETED


def test_a_running_prompt_is_asked_to_stop_and_its_bridge_has_the_last_word():
    session = situations.running(SECOND)

    decision = ask(session, Stop(ADA))

    in_15_seconds = build.NOW + timedelta(seconds=15)
    assert decision == Decision((StopRequested(1, ADA, Stopping(StopReason.ASKED, in_15_seconds)),))


def test_stopping_twice_is_stopping_once():
    assert ask(situations.running(SECOND, stop=STOPPING), Stop(ADA)) == NOTHING


def test_the_next_prompt_is_dispatched_when_the_stopped_one_has_ended():
    session = situations.running(SECOND, stop=STOPPING)

    decision = ask(session, finish(status=PromptStatus.STOPPED))

    assert decision == Decision(
        (
            TurnLeft(1),
            PromptFinished(number=1, status=PromptStatus.STOPPED),
            PromptDispatched(2),
        )
    )


def test_a_stopped_last_prompt_leaves_a_session_that_did_not_fail_and_whose_sandbox_idles():
    decision = ask(situations.running(stop=STOPPING), finish(status=PromptStatus.STOPPED))

    assert decision == Decision(
        (
            TurnLeft(1),
            PromptFinished(number=1, status=PromptStatus.STOPPED),
            SessionMoved(SessionStatus.COMPLETED),
            IdleSince(IN_TEN_MINUTES),
        ),
        (ArmTimer(1, IN_TEN_MINUTES),),
    )


def test_stopping_while_the_sandbox_boots_ends_the_prompt_that_waits_for_it():
    session = situations.connecting(FIRST, SECOND)

    decision = ask(session, Stop(ADA))

    assert decision == Decision((PromptFinished(number=1, status=PromptStatus.STOPPED),))


def test_there_is_nothing_to_stop_when_nothing_runs_or_waits():
    for session in (build.session(), situations.ready(), build.session(SessionStatus.ARCHIVED)):
        with pytest.raises(Rejected, match="nothing is running"):
            ask(session, Stop(ADA))


def test_a_late_stop_does_not_hit_the_next_prompt():
    session = after(situations.running(SECOND), finish())

    assert ask(session, Stop(ADA, prompt=1)) == NOTHING


def test_a_stop_that_names_the_running_prompt_stops_it():
    assert ask(situations.running(SECOND), Stop(ADA, prompt=1)) == Decision(
        (StopRequested(1, ADA, STOPPING),)
    )


def test_a_prompt_that_waits_behind_others_is_not_stopped():
    with pytest.raises(Rejected, match="prompt 2 waits for others"):
        ask(situations.running(SECOND), Stop(ADA, prompt=2))


def test_a_prompt_that_never_was_is_not_stopped():
    with pytest.raises(NotFound, match="no prompt 9"):
        ask(situations.running(), Stop(ADA, prompt=9))
