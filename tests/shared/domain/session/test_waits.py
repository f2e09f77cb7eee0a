"""Task tokens and clocks: the workflow waits, is told, and asks when a clock runs out."""

from datetime import timedelta

import pytest

from shared.domain.session.commands import Arm, Beat, Clock, TimedOut
from shared.domain.session.decision import NOTHING, CompleteTask, Decision
from shared.domain.session.facts import (
    AttemptEnding,
    PromptFinished,
    SandboxMoved,
    StopRequested,
    TaskArmed,
    TaskDisarmed,
)
from shared.domain.session.failures import ADVICE, Failure, told
from shared.domain.session.rules import Rules
from shared.domain.session.sandbox import Armed, Ending, SandboxStatus, Wait
from shared.domain.session.state import PromptStatus, Stopping, StopReason
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import EXPIRY, FIRST, SECOND, STOPPING, after, ask

NOW = build.NOW
JUST_NOW = NOW - timedelta(seconds=89)
DRAIN = EXPIRY - timedelta(minutes=10)
LONG_AGO = NOW - timedelta(seconds=90)

WAITED_FOR = [
    (situations.spawning(FIRST), Wait.CONNECT),
    (situations.connecting(FIRST), Wait.READY),
    (situations.running(), Wait.SERVE),
    (situations.running(stop=STOPPING), Wait.STOP),
]
FACTS = [
    (situations.connecting(FIRST), Wait.CONNECT, CompleteTask("t1", "connected", 30 * 60)),
    (situations.ready(), Wait.CONNECT, CompleteTask("t1", "connected", 30 * 60)),
    (situations.ready(), Wait.READY, CompleteTask("t1", "ready", 50 * 60)),
    (situations.running(stop=STOPPING), Wait.SERVE, CompleteTask("t1", "stopping", 15)),
    (situations.saving(), Wait.SERVE, CompleteTask("t1", "checkpoint")),
    (situations.running(), Wait.STOP, CompleteTask("t1", "stopped", 50 * 60)),
    *((situations.ended(Ending.STALE), wait, CompleteTask("t1", "ended")) for wait in Wait),
    *((build.session(attempts=1), wait, CompleteTask("t1", "ended")) for wait in Wait),
]


@pytest.mark.parametrize(("session", "wait"), WAITED_FOR)
def test_who_waits_for_what_is_not_a_fact_yet_leaves_a_token(session, wait):
    assert ask(session, Arm(1, wait, "t1")) == Decision((TaskArmed(Armed(wait, "t1")),))


@pytest.mark.parametrize(("session", "wait", "outcome"), FACTS)
def test_who_waits_for_a_fact_is_told_at_once(session, wait, outcome):
    assert ask(session, Arm(1, wait, "t1")) == Decision((), (outcome,))


def test_leaving_the_same_token_twice_is_nothing_new():
    session = after(situations.running(), Arm(1, Wait.SERVE, "t1"))

    assert ask(session, Arm(1, Wait.SERVE, "t1")) == NOTHING


def test_the_newest_token_is_the_one_that_will_be_told():
    session = after(situations.running(), Arm(1, Wait.SERVE, "t1"), Arm(1, Wait.SERVE, "t2"))

    assert session.attempt is not None
    assert session.attempt.armed == Armed(Wait.SERVE, "t2")


@pytest.mark.parametrize(("session", "wait", "outcome"), FACTS)
@pytest.mark.parametrize("clock", list(Clock))
def test_a_clock_that_ran_out_after_the_fact_ends_nothing(session, wait, outcome, clock):
    assert ask(session, TimedOut(1, wait, clock, None)) == NOTHING


@pytest.mark.parametrize(("session", "wait"), WAITED_FOR)
def test_a_sandbox_that_was_heard_of_within_90_seconds_goes_on(session, wait):
    assert ask(session, TimedOut(1, wait, Clock.HEARTBEAT, JUST_NOW)) == NOTHING


def test_a_question_about_another_attempt_ends_nothing():
    question = TimedOut(2, Wait.SERVE, Clock.HEARTBEAT, None)

    assert ask(situations.running(), question) == NOTHING


def test_a_sandbox_that_does_not_connect_in_time_has_failed():
    session = situations.spawning(FIRST, SECOND, armed=Armed(Wait.CONNECT, "t1"))

    decision = ask(session, TimedOut(1, Wait.CONNECT, Clock.TIMEOUT, None))

    error = (
        "the boot failed in phase starting: the sandbox did not connect within 4 minutes: "
        f"{ADVICE[Failure.BOOT]}"
    )
    assert decision == Decision(
        (
            AttemptEnding(Ending.FAILED, error, counted_at=NOW),
            SandboxMoved(SandboxStatus.FAILED, reason="failed", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
            TaskDisarmed(),
        ),
        (CompleteTask("t1", "ended"),),
    )


def test_a_boot_over_its_budget_names_its_phase_however_lively_it_is():
    session = situations.connecting(FIRST, SECOND, phase="setup", boot_due=NOW)

    decision = ask(session, TimedOut(1, Wait.READY, Clock.TIMEOUT, JUST_NOW))

    error = (
        "the boot failed in phase setup: "
        f"the boot took longer than 30 minutes (SANDBOX_BOOT_TIMEOUT_MS): {ADVICE[Failure.BOOT]}"
    )
    assert decision == Decision(
        (
            AttemptEnding(Ending.FAILED, error, counted_at=NOW),
            SandboxMoved(SandboxStatus.FAILED, reason="failed", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
        )
    )


@pytest.mark.parametrize("last_heard", [None, LONG_AGO])
def test_a_boot_that_falls_silent_has_failed(last_heard):
    session = situations.connecting(FIRST, SECOND, phase="sync")

    decision = ask(session, TimedOut(1, Wait.READY, Clock.HEARTBEAT, last_heard))

    error = told(
        "the boot failed in phase sync: the sandbox was silent for 90 seconds", Failure.BOOT
    )
    assert decision == Decision(
        (
            AttemptEnding(Ending.FAILED, error, counted_at=NOW),
            SandboxMoved(SandboxStatus.FAILED, reason="failed", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
        )
    )


@pytest.mark.parametrize("last_heard", [None, LONG_AGO])
def test_a_serving_sandbox_that_falls_silent_is_stale(last_heard):
    decision = ask(situations.running(SECOND), TimedOut(1, Wait.SERVE, Clock.HEARTBEAT, last_heard))

    error = told("the sandbox was silent for 90 seconds", Failure.RUNTIME)
    assert decision == Decision(
        (
            AttemptEnding(Ending.STALE, error),
            SandboxMoved(SandboxStatus.STALE, reason="stale", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
        )
    )


def test_ten_minutes_before_its_end_an_idle_sandbox_is_put_away():
    session = situations.ready()
    question = TimedOut(1, Wait.SERVE, Clock.TIMEOUT, None)

    early = ask(session, question, now=DRAIN - timedelta(seconds=1))
    due = ask(session, question, now=DRAIN)

    assert early == NOTHING
    assert due == Decision(
        (
            AttemptEnding(Ending.LIFETIME),
            SandboxMoved(SandboxStatus.STOPPED, reason="lifetime"),
        )
    )


def test_ten_minutes_before_its_end_the_turn_has_a_minute_to_end():
    session = situations.running(SECOND, armed=Armed(Wait.SERVE, "t1"))

    decision = ask(session, Beat(1), now=DRAIN)

    stop = Stopping(StopReason.LIFETIME, DRAIN + timedelta(seconds=60))
    assert decision == Decision(
        (StopRequested(1, None, stop), TaskDisarmed()), (CompleteTask("t1", "stopping", 60),)
    )


def test_a_workflow_that_serves_what_is_not_ready_is_answered_in_the_words_of_a_boot():
    session = situations.connecting(FIRST)

    silent = after(session, TimedOut(1, Wait.SERVE, Clock.HEARTBEAT, None))

    assert silent.sandbox is SandboxStatus.FAILED
    assert silent.queue == ()


def test_durations_are_told_as_a_person_would():
    rules = Rules(connect_watchdog=timedelta(seconds=45), boot_budget=timedelta(minutes=2.5))
    connect = TimedOut(1, Wait.CONNECT, Clock.TIMEOUT, None)
    boot = TimedOut(1, Wait.READY, Clock.TIMEOUT, None)

    errors = [
        ask(situations.spawning(FIRST), connect, rules=rules).events[0],
        ask(situations.connecting(FIRST, boot_due=NOW), boot, rules=rules).events[0],
    ]

    assert "within 45 seconds" in str(errors[0])
    assert "longer than 2.5 minutes" in str(errors[1])
