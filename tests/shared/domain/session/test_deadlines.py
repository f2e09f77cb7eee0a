"""Every deadline: nothing before it, its consequence from then on, whoever asks."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from shared.domain.sandbox_settings import SandboxSettings
from shared.domain.session.commands import (
    Beat,
    BecomeReady,
    Clock,
    Command,
    Launched,
    Launching,
    Poke,
    TimedOut,
)
from shared.domain.session.decision import NOTHING, ArmTimer, Decision
from shared.domain.session.facts import (
    AttemptEnding,
    BootOver,
    IdleSince,
    PromptFinished,
    SandboxMoved,
)
from shared.domain.session.failures import Failure, told
from shared.domain.session.rules import DEFAULT_RULES, Moment, Rules
from shared.domain.session.sandbox import Ending, SandboxStatus, Wait
from shared.domain.session.state import PromptStatus, Session
from shared.domain.session.waits import outcome_of, seconds
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import BOX, EXPIRY, FIRST, SECOND, after, ask, finish

NOW = build.NOW
SECOND_OF_TIME = timedelta(seconds=1)
BUDGET = NOW + timedelta(minutes=30)
TOO_LONG = "the boot took longer than 30 minutes (SANDBOX_BOOT_TIMEOUT_MS)"


def moment(now: datetime = NOW, rules: Rules = DEFAULT_RULES) -> Moment:
    return Moment(now, rules)


def asks(wait: Wait, *, clock: Clock = Clock.TIMEOUT, heard: datetime | None = None) -> TimedOut:
    return TimedOut(1, wait, clock, heard)


def test_the_boot_budget_begins_with_the_first_launch():
    first = after(situations.spawning(FIRST), Launching(1, "h1", "k1"))

    again = after(first, Launching(1, "h2", "k2"), now=NOW + timedelta(minutes=20))

    assert again.attempt is not None
    assert again.attempt.boot_due == BUDGET


@pytest.mark.parametrize("asked", [asks(Wait.READY), Beat(1)])
def test_a_boot_has_thirty_minutes_to_get_ready(asked: Command):
    session = situations.connecting(FIRST, boot_due=BUDGET, phase="setup")

    error = f"the boot failed in phase setup: {told(TOO_LONG, Failure.BOOT)}"
    assert ask(session, asked, now=BUDGET - SECOND_OF_TIME) == NOTHING
    assert ask(session, asked, now=BUDGET).events[0] == AttemptEnding(
        Ending.FAILED, error, counted_at=BUDGET
    )


@pytest.mark.parametrize("asked", [asks(Wait.SERVE), Beat(1)])
def test_a_boot_has_thirty_minutes_also_while_the_agent_reads_and_its_files_are_kept(
    asked: Command,
):
    session = situations.running(SECOND, complete=False, boot_due=BUDGET, phase="sync")

    decision = ask(session, asked, now=BUDGET)

    error = told(TOO_LONG, Failure.RUNTIME)
    assert ask(session, asked, now=BUDGET - SECOND_OF_TIME) == NOTHING
    assert decision == Decision(
        (
            BootOver(),
            AttemptEnding(Ending.STALE, error),
            SandboxMoved(SandboxStatus.STALE, reason="stale", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
        )
    )


def test_a_boot_that_is_over_has_no_budget_any_more():
    session = situations.running(boot_due=BUDGET)

    assert ask(session, Beat(1), now=BUDGET + timedelta(minutes=5)) == NOTHING


def test_a_boot_that_was_never_launched_has_no_budget_yet():
    assert ask(situations.spawning(FIRST), Beat(1), now=EXPIRY) == NOTHING


@pytest.mark.parametrize(
    ("session", "wait", "sandbox"),
    [
        (situations.connecting(FIRST), Wait.READY, SandboxStatus.FAILED),
        (situations.running(), Wait.SERVE, SandboxStatus.STALE),
        (situations.ready(), Wait.SERVE, SandboxStatus.STALE),
    ],
)
def test_a_bridge_may_be_silent_for_ninety_seconds(
    session: Session, wait: Wait, sandbox: SandboxStatus
):
    just_in_time = asks(wait, clock=Clock.HEARTBEAT, heard=NOW - timedelta(seconds=89.9))
    too_late = asks(wait, clock=Clock.HEARTBEAT, heard=NOW - timedelta(seconds=90))

    assert ask(session, just_in_time) == NOTHING
    assert after(session, too_late).sandbox is sandbox


def test_a_sandbox_that_fell_silent_is_paused_not_forgotten():
    silent = after(situations.running(), asks(Wait.SERVE, clock=Clock.HEARTBEAT))

    assert silent.workspace.provider_id == BOX
    assert silent.sandbox is SandboxStatus.STALE
    assert silent.last_outcome is PromptStatus.FAILED


def test_a_turn_may_be_silent_for_as_long_as_its_bridge_beats():
    session = situations.running(idle_due=None)

    assert ask(session, Beat(1), now=NOW + timedelta(minutes=49)) == NOTHING
    assert ask(session, Poke(1, watched=False), now=NOW + timedelta(minutes=49)) == NOTHING


def test_losing_the_socket_alone_stops_nothing():
    session = situations.running()

    assert ask(session, asks(Wait.SERVE), now=NOW + timedelta(minutes=2)) == NOTHING


@pytest.mark.parametrize(
    ("wait", "session", "left"),
    [
        (Wait.CONNECT, situations.spawning(FIRST), 4 * 60),
        (Wait.READY, situations.connecting(FIRST, boot_due=NOW + timedelta(minutes=7)), 7 * 60),
        (Wait.READY, situations.connecting(FIRST, boot_due=NOW - timedelta(minutes=7)), 91),
        (Wait.READY, situations.connecting(FIRST), 30 * 60),
        (Wait.SERVE, situations.ready(), 50 * 60),
        (Wait.SERVE, situations.ready(expires_at=NOW), 91),
        (Wait.SERVE, situations.ready(expires_at=None), 90 + 30),
        (Wait.STOP, situations.running(stop=situations.STOPPING), 15),
        (Wait.STOP, situations.running(), 15),
    ],
)
def test_a_wait_is_as_long_as_what_is_left_and_longer_than_a_bridge_may_be_silent(
    wait: Wait, session: Session, left: int
):
    assert seconds(session, wait, moment()) == left


def test_part_of_a_second_is_a_second():
    session = situations.connecting(FIRST, boot_due=NOW + timedelta(seconds=107.2))

    assert seconds(session, Wait.READY, moment()) == 108


@pytest.mark.parametrize(
    ("session", "wait", "answer"),
    [
        (situations.spawning(FIRST), Wait.CONNECT, ("go_on", 4 * 60)),
        (situations.connecting(FIRST, boot_due=BUDGET), Wait.CONNECT, ("connected", 30 * 60)),
        (situations.ready(), Wait.READY, ("ready", 50 * 60)),
        (situations.running(), Wait.SERVE, ("go_on", 50 * 60)),
        (situations.running(stop=situations.STOPPING), Wait.SERVE, ("stopping", 15)),
        (situations.saving(), Wait.SERVE, ("checkpoint", 50 * 60)),
        (situations.running(stop=situations.STOPPING), Wait.STOP, ("go_on", 15)),
        (situations.running(), Wait.STOP, ("stopped", 50 * 60)),
    ],
)
def test_the_answer_to_a_question_says_how_long_the_next_wait_may_take(
    session: Session, wait: Wait, answer: tuple[str, int]
):
    assert outcome_of(session, 1, wait, moment()) == answer


def test_the_answer_about_an_attempt_that_is_over_is_that():
    assert outcome_of(situations.ended(Ending.STALE), 1, Wait.SERVE, moment())[0] == "ended"
    assert outcome_of(situations.running(), 2, Wait.SERVE, moment())[0] == "ended"


def test_a_session_keeps_the_inactivity_that_it_was_created_with():
    session = replace(
        situations.running(), settings=SandboxSettings(inactivity=timedelta(minutes=2))
    )
    in_two_minutes = NOW + timedelta(minutes=2)

    decision = ask(session, finish(status=PromptStatus.FAILED))

    assert IdleSince(in_two_minutes) in decision.events
    assert decision.effects == (ArmTimer(1, in_two_minutes),)


def test_a_session_keeps_the_buffer_that_it_was_created_with():
    session = replace(
        situations.ready(), settings=SandboxSettings(final_buffer=timedelta(minutes=25))
    )
    drain = EXPIRY - timedelta(minutes=25)

    assert ask(session, Beat(1), now=drain - SECOND_OF_TIME) == NOTHING
    assert after(session, Beat(1), now=drain).sandbox is SandboxStatus.STOPPED


def test_where_nothing_was_chosen_the_deployments_durations_hold():
    rules = Rules(inactivity=timedelta(hours=1), final_buffer=timedelta(minutes=6))

    assert rules.of(SandboxSettings()) == rules
    assert rules.of(SandboxSettings(inactivity=timedelta(minutes=1))) == replace(
        rules, inactivity=timedelta(minutes=1)
    )


def test_a_known_end_moves_with_what_the_provider_says():
    session = situations.ready()
    later = EXPIRY + timedelta(hours=1)

    extended = after(session, Launched(1, BOX, later))

    assert ask(extended, Beat(1), now=EXPIRY - timedelta(minutes=10)) == NOTHING
    assert ask(session, BecomeReady(1)) == NOTHING
