"""An attempt on its way out: retired, and what waits gets the next one."""

from dataclasses import replace

import pytest

from shared.domain.session.commands import Archive, BecomeReady, Cancel, Retire
from shared.domain.session.decision import NOTHING, CompleteTask, Decision, StartLife
from shared.domain.session.facts import (
    AttemptEnding,
    AttemptRetired,
    AttemptStarted,
    PromptFinished,
    SandboxMoved,
    SessionMoved,
)
from shared.domain.session.failures import Failure, told
from shared.domain.session.sandbox import (
    Armed,
    Boot,
    Ending,
    ProviderId,
    SandboxStatus,
    Wait,
    Workspace,
)
from shared.domain.session.state import PromptStatus, SessionStatus
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import BOX, FIRST, SECOND, after, ask

ADA = build.ADA.user
SPAWNING = SandboxMoved(SandboxStatus.SPAWNING)


def test_a_retired_attempt_leaves_its_files_to_the_session():
    session = situations.ended(Ending.INACTIVE, status=SessionStatus.COMPLETED)

    decision = ask(session, Retire(1, BOX))

    assert decision == Decision((AttemptRetired(1, BOX),))
    assert after(session, Retire(1, BOX)) == replace(session, attempt=None)


@pytest.mark.parametrize("ending", [Ending.INACTIVE, Ending.LIFETIME, Ending.STALE])
def test_what_waits_gets_the_next_attempt_on_the_same_files(ending):
    decision = ask(situations.ended(ending, SECOND), Retire(1, BOX))

    assert decision == Decision(
        (AttemptRetired(1, BOX), AttemptStarted(2, Boot.RESUME), SPAWNING),
        (StartLife(2, life=1),),
    )


def test_behind_a_failed_boot_the_next_attempt_starts_afresh():
    session = situations.connecting(SECOND, ending=Ending.FAILED)
    session = replace(session, sandbox=SandboxStatus.FAILED)

    decision = ask(session, Retire(1, None))

    assert decision == Decision(
        (AttemptRetired(1, None), AttemptStarted(2, Boot.FRESH), SPAWNING),
        (StartLife(2, life=1),),
    )


def test_a_half_booted_sandbox_is_never_kept_as_the_sessions_files():
    session = situations.connecting(ending=Ending.FAILED)

    assert after(session, Retire(1, BOX)).workspace == Workspace()


def test_files_stay_known_when_the_workflow_has_nothing_new_to_say():
    assert after(situations.ended(Ending.STALE), Retire(1, None)).workspace == Workspace(BOX)


def test_files_may_have_moved():
    moved = ProviderId("box-2")

    assert after(situations.ended(Ending.STALE), Retire(1, moved)).workspace == Workspace(moved)


def test_nothing_is_retired_twice():
    session = after(situations.ended(Ending.STALE, SECOND), Retire(1, BOX))

    assert ask(session, Retire(1, BOX)) == NOTHING


def test_a_cancelled_session_starts_nothing_when_its_sandbox_is_put_away():
    session = after(situations.running(SECOND), Cancel(ADA))

    assert ask(session, Retire(1, BOX)) == Decision((AttemptRetired(1, BOX),))


def test_an_archived_session_starts_nothing_when_its_sandbox_is_put_away():
    session = after(situations.ready(), Archive(ADA))

    assert ask(session, Retire(1, BOX)) == Decision((AttemptRetired(1, BOX),))


def test_a_serving_attempt_that_is_given_up_fails_its_prompt_and_the_next_one_goes_on():
    session = situations.running(SECOND, armed=Armed(Wait.SERVE, "t1"))

    decision = ask(session, Retire(1, BOX))

    error = told("the sandbox was given up", Failure.RUNTIME)
    assert decision == Decision(
        (
            AttemptEnding(Ending.STALE, error),
            SandboxMoved(SandboxStatus.STALE, reason="stale", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
            AttemptRetired(1, BOX),
            AttemptStarted(2, Boot.RESUME),
            SPAWNING,
        ),
        (StartLife(2, life=1), CompleteTask("t1", "ended")),
    )


def test_a_booting_attempt_that_is_given_up_has_failed():
    decision = ask(situations.spawning(FIRST), Retire(1, None))

    error = told("the boot failed in phase starting: the sandbox was given up", Failure.BOOT)
    assert decision == Decision(
        (
            AttemptEnding(Ending.FAILED, error, counted_at=build.NOW),
            SandboxMoved(SandboxStatus.FAILED, reason="failed", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
            SessionMoved(SessionStatus.FAILED),
            AttemptRetired(1, None),
        )
    )


def test_why_a_sandbox_failed_is_shown_until_the_next_one_is_ready():
    failed = after(situations.running(SECOND), Retire(1, BOX))

    assert failed.error == told("the sandbox was given up", Failure.RUNTIME)
    assert after(failed, BecomeReady(2)).error is None
