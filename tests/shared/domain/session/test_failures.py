"""Whose fault it was, what to do about it, and when starting is put off for a while."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from shared.domain.session.commands import (
    BecomeReady,
    Cancel,
    CancelPrompt,
    Clock,
    Command,
    Connect,
    GiveUp,
    Launched,
    LaunchFailed,
    LifeEnded,
    Poke,
    Retire,
    TimedOut,
    Vanished,
    Warm,
)
from shared.domain.session.decision import NOTHING, ArmTimer, Decision, StartLife
from shared.domain.session.facts import (
    AttemptEnding,
    AttemptRetired,
    AttemptStarted,
    PromptFinished,
    PromptQueued,
    SandboxMoved,
    SessionMoved,
    StartPostponed,
)
from shared.domain.session.failures import ADVICE, MAX_KEPT, Failure, open_until, told
from shared.domain.session.rules import DEFAULT_RULES, Moment
from shared.domain.session.sandbox import MAX_LIVES, Boot, Ending, SandboxStatus, Wait
from shared.domain.session.state import PromptStatus, Session, SessionStatus
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import BOX, EXPIRY, FIRST, SECOND, after, ask, submit

NOW = build.NOW
WINDOW = timedelta(minutes=5)
COUNTED = {
    Failure.WAKE,
    Failure.PERMANENT,
    Failure.UNKNOWN,
    Failure.BOOT,
    Failure.AGENT,
    Failure.REPOSITORY,
}
FRESH_START = Decision(
    (AttemptStarted(4, Boot.FRESH), SandboxMoved(SandboxStatus.SPAWNING)),
    (StartLife(4, life=1),),
)


def failed(*minutes_ago: float) -> tuple[datetime, ...]:
    return tuple(NOW - timedelta(minutes=minutes) for minutes in minutes_ago)


def at_rest(*failures: datetime, **fields: object) -> Session:
    """The third attempt has failed as well."""
    return build.session(
        SessionStatus.FAILED,
        SandboxStatus.FAILED,
        title="mine",
        prompts=1,
        attempts=3,
        failures=failures,
        last_outcome=PromptStatus.FAILED,
        **fields,
    )


def test_every_class_has_one_sentence_that_says_what_to_do():
    assert set(ADVICE) == set(Failure)
    assert len(set(ADVICE.values())) == len(Failure)
    assert all(text == text.strip(" .") and len(text) > 20 for text in ADVICE.values())


def test_what_counts_says_that_the_next_try_would_fail_as_well():
    assert {failure for failure in Failure if failure.counts} == COUNTED


@pytest.mark.parametrize("failure", list(Failure))
def test_a_launch_that_failed_says_why_and_what_to_do(failure: Failure):
    decision = ask(situations.spawning(FIRST, SECOND), LaunchFailed(1, "no luck", failure))

    error = f"the boot failed in phase starting: no luck: {ADVICE[failure]}"
    assert decision == Decision(
        (
            AttemptEnding(Ending.FAILED, error, counted_at=NOW if failure in COUNTED else None),
            SandboxMoved(SandboxStatus.FAILED, reason="failed", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
        )
    )


@pytest.mark.parametrize("failure", list(Failure))
def test_a_boot_that_is_given_up_names_phase_repository_reason_and_remedy(failure: Failure):
    session = situations.connecting(FIRST, SECOND, phase="start", repository="tool")

    decision = ask(session, GiveUp(1, "start.sh ended with status 1", failure))

    error = told("the boot failed in phase start for tool: start.sh ended with status 1", failure)
    assert decision == Decision(
        (
            AttemptEnding(Ending.FAILED, error, counted_at=NOW if failure in COUNTED else None),
            SandboxMoved(SandboxStatus.FAILED, reason="failed", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
        )
    )


@pytest.mark.parametrize("failure", [Failure.SCRIPT, Failure.REPOSITORY])
def test_what_fails_beside_an_agent_that_reads_already_fails_the_boot(failure: Failure):
    session = situations.running(SECOND, complete=False, phase="sync", repository="tool")

    decision = ask(session, GiveUp(1, "no such branch", failure))

    error = told("the boot failed in phase sync for tool: no such branch", failure)
    assert decision == Decision(
        (
            AttemptEnding(Ending.FAILED, error, counted_at=NOW if failure.counts else None),
            SandboxMoved(SandboxStatus.FAILED, reason="failed", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
        )
    )


@pytest.mark.parametrize("failure", list(Failure))
@pytest.mark.parametrize("complete", [True, False])
def test_a_runtime_that_dies_when_it_served_counts_for_nothing(failure: Failure, complete: bool):
    if not complete and failure in {Failure.SCRIPT, Failure.REPOSITORY}:
        return

    session = after(situations.running(SECOND, complete=complete), GiveUp(1, "it died", failure))

    assert session.error == told("it died", Failure.RUNTIME)
    assert session.failures == ()


@pytest.mark.parametrize(
    "command",
    [
        TimedOut(1, Wait.CONNECT, Clock.TIMEOUT, None),
        GiveUp(1, "no disk"),
        LaunchFailed(1, "who knows"),
        Retire(1, None),
    ],
)
def test_a_boot_that_fails_for_a_reason_of_its_own_counts(command: Command):
    assert after(situations.spawning(FIRST), command).failures == (NOW,)


def test_a_boot_that_vanished_or_wore_out_its_workflow_counts():
    vanished = after(situations.connecting(FIRST), Vanished(1, BOX))
    worn_out = after(situations.spawning(FIRST, life=MAX_LIVES), LifeEnded(1, MAX_LIVES))

    assert vanished.failures == worn_out.failures == (NOW,)


def test_a_failing_script_of_the_users_never_postpones_anything():
    session = situations.connecting(FIRST)
    for _ in range(4):
        session = after(session, GiveUp(session.attempts, "start.sh", Failure.SCRIPT))
        session = after(
            session, Retire(session.attempts, None), submit(), Connect(session.attempts + 1)
        )

    assert session.failures == ()
    assert session.attempts == 5


@pytest.mark.parametrize(
    ("failures", "until"),
    [
        ((), None),
        (failed(1, 1), None),
        (failed(4, 3, 0), NOW + timedelta(minutes=1)),
        (failed(5, 3, 0), None),
        (failed(60, 50, 0), None),
        (failed(4, 3, 2, 1), NOW + timedelta(minutes=2)),
    ],
)
def test_three_failures_in_five_minutes_postpone_until_the_oldest_is_as_old(
    failures: tuple[datetime, ...], until: datetime | None
):
    assert open_until(failures, Moment(NOW, DEFAULT_RULES)) == until


def test_a_prompt_is_taken_and_its_sandbox_is_started_later():
    session = at_rest(*failed(4, 3, 0))

    decision = ask(session, submit("again"))

    until = NOW + timedelta(minutes=1)
    assert decision == Decision(
        (PromptQueued(SECOND, "again"), SessionMoved(SessionStatus.ACTIVE), StartPostponed(until)),
        (ArmTimer(3, until),),
    )
    assert ask(after(session, submit()), submit()).effects == ()


def test_the_third_failure_postpones_what_waits_behind_it():
    session = replace(situations.connecting(FIRST, SECOND), attempts=1, failures=failed(4, 3))
    given_up = after(session, GiveUp(1, "no disk"))

    decision = ask(given_up, Retire(1, None))

    until = NOW + timedelta(minutes=1)
    assert decision == Decision(
        (AttemptRetired(1, None), StartPostponed(until)), (ArmTimer(1, until),)
    )


def test_what_was_postponed_is_started_by_a_poke_when_it_is_due():
    session = after(at_rest(*failed(4, 3, 0)), submit())
    until = NOW + timedelta(minutes=1)

    early = ask(session, Poke(3, watched=False))
    due = ask(session, Poke(3, watched=False), now=until)

    assert early == Decision((), (ArmTimer(3, until),))
    assert due == FRESH_START
    assert after(session, Poke(3, watched=False), now=until).retry_at is None


def test_a_poke_about_another_attempt_starts_nothing_that_was_postponed():
    session = after(at_rest(*failed(4, 3, 0)), submit())

    assert ask(session, Poke(2, watched=False), now=NOW + WINDOW) == NOTHING


def test_what_was_postponed_and_taken_back_is_not_started():
    session = after(at_rest(*failed(4, 3, 0)), submit(), CancelPrompt(2))

    assert ask(session, Poke(3, watched=False), now=NOW + WINDOW) == NOTHING


def test_what_was_taken_back_is_not_waited_for_any_more():
    taken_back = after(at_rest(*failed(4, 3, 0)), submit(), CancelPrompt(2))

    assert taken_back.retry_at is None
    assert not taken_back.is_alive


def test_a_cancelled_session_starts_nothing_that_was_postponed():
    session = after(at_rest(*failed(4, 3, 0)), submit(), Cancel(build.ADA.user))

    assert ask(session, Poke(3, watched=False), now=NOW + WINDOW) == NOTHING


def test_the_next_prompt_after_the_window_starts_at_once():
    session = after(at_rest(*failed(4, 3, 0)), submit())

    assert ask(session, submit(), now=NOW + WINDOW).effects == FRESH_START.effects


def test_nobody_warms_up_what_has_just_failed_so_often():
    session = at_rest(*failed(4, 3, 0))

    assert ask(session, Warm()) == NOTHING
    assert ask(session, Warm(), now=NOW + WINDOW).effects == (StartLife(4, life=1),)


def test_a_sandbox_that_gets_ready_forgets_what_failed_before():
    session = replace(situations.connecting(FIRST), failures=failed(4, 3, 0))

    assert after(session, BecomeReady(1)).failures == ()


def test_the_error_is_shown_until_the_next_sandbox_is_ready():
    failing = after(situations.spawning(FIRST, SECOND), LaunchFailed(1, "no luck", Failure.LIMITS))

    again = after(failing, Retire(1, None), Launched(2, BOX, EXPIRY), Connect(2, 0))

    shown = told("the boot failed in phase starting: no luck", Failure.LIMITS)
    assert failing.error == again.error == shown
    assert after(again, BecomeReady(2)).error is None


def test_only_so_many_failures_are_remembered():
    session = situations.connecting(FIRST)
    for minute in range(MAX_KEPT + 5):
        session = _fail(session, NOW + timedelta(hours=minute))

    assert len(session.failures) == MAX_KEPT
    assert list(session.failures) == sorted(session.failures)


def _fail(session: Session, now: datetime) -> Session:
    attempt = session.attempts
    return after(session, GiveUp(attempt, "no disk"), Retire(attempt, None), submit(), now=now)


def _kinds(failures: Iterable[Failure]) -> set[str]:
    return {failure.value for failure in failures}


def test_the_classes_have_names_that_stay():
    assert _kinds(Failure) == {
        "provider_transient",
        "limits",
        "provider_permanent",
        "wake",
        "unknown",
        "boot",
        "repository",
        "script",
        "agent",
        "runtime",
        "stopped",
        "policy",
        "secrets",
    }
