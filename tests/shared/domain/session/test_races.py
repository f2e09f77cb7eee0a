"""Races that systems of this kind are known for. Each is lost by somebody; nobody pays for it.

Between two commits anything may happen. What comes too late is decided upon as if it were asked
now, and names the attempt and the prompt that it is about: that is all there is to it.
"""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.domain.errors import Rejected
from shared.domain.session.commands import (
    Arm,
    BecomeReady,
    Cancel,
    Clock,
    Connect,
    FilesGone,
    GiveUp,
    Launched,
    LaunchFailed,
    Launching,
    Poke,
    Retire,
    Stop,
    TimedOut,
)
from shared.domain.session.decision import (
    NOTHING,
    AttemptLaunched,
    AttemptRetired,
    CompleteTask,
    Decision,
)
from shared.domain.session.evolve import touched
from shared.domain.session.state import (
    Boot,
    Ending,
    PromptStatus,
    ProviderId,
    SandboxStatus,
    SessionStatus,
    Wait,
    Workspace,
)
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import (
    BOX,
    FIRST,
    SECOND,
    after,
    ask,
    finish,
    submit,
)

ADA = build.ADA.user
CANCEL = Cancel(ADA)
NEXT_BOX = ProviderId("box-2")


def second_attempt_serves():
    """The first attempt is retired; the second one runs prompt 2."""
    serving = build.attempt(2, connected=True, ready=True, provider_id=NEXT_BOX, token_hash="h2")
    return replace(
        after(situations.running(), finish(), situations.saved(), submit()),
        attempts=2,
        attempt=serving,
        workspace=Workspace(NEXT_BOX),
    )


def test_a_prompt_that_meets_a_cancelled_session_does_not_revive_it():
    cancelled = after(situations.running(), CANCEL)

    with pytest.raises(Rejected):
        ask(cancelled, submit())


def test_no_sandbox_is_started_for_a_session_that_was_cancelled_first():
    cancelled = after(situations.spawning(FIRST), CANCEL)

    assert ask(cancelled, Launching(1, "hash", "key")) == NOTHING
    assert ask(cancelled, Arm(1, Wait.CONNECT, "t1")).effects == (CompleteTask("t1", "ended"),)
    assert ask(cancelled, Retire(1, None)) == Decision((AttemptRetired(1, None),))


def test_the_end_of_a_run_does_not_reopen_a_cancelled_session():
    cancelled = after(situations.running(SECOND), CANCEL)

    assert ask(cancelled, finish()) == NOTHING
    assert cancelled.status is SessionStatus.CANCELLED


def test_a_slow_clock_does_not_move_a_session_down_the_list():
    before = build.session(updated_at=build.NOW)
    earlier = build.NOW - timedelta(seconds=3)

    assert touched(before, replace(before, prompts=1), earlier).updated_at == build.NOW


def test_a_cost_that_is_told_twice_is_counted_once():
    done = after(situations.running(), finish(cost=0.5), finish(cost=0.5))

    assert done.cost == 0.5


def test_a_token_that_was_made_before_the_cancel_is_dead_after_it():
    identified = after(situations.spawning(FIRST), Launching(1, "hash", "key"))

    cancelled = after(identified, CANCEL)

    assert cancelled.attempt is not None
    assert cancelled.attempt.token_hash is None


@pytest.mark.parametrize("sandbox", [SandboxStatus.FAILED, SandboxStatus.STALE])
def test_a_late_answer_of_the_provider_does_not_revive_a_dead_sandbox(sandbox):
    ending = Ending(sandbox)
    dead = replace(situations.spawning(ending=ending), sandbox=sandbox)

    decision = ask(dead, Launched(1, BOX, None))

    assert decision == Decision((AttemptLaunched(BOX, None),))
    assert after(dead, Launched(1, BOX, None)).sandbox is sandbox


def test_an_error_of_the_provider_does_not_fail_a_sandbox_that_works():
    for session in (situations.connecting(FIRST), situations.running(SECOND)):
        assert ask(session, LaunchFailed(1, "gateway time-out")) == NOTHING


def test_what_completes_after_the_end_does_not_make_a_sandbox_ready_again():
    ended = situations.ended(Ending.STALE, SECOND)

    for late in (Connect(1), BecomeReady(1), GiveUp(1, "x"), finish(), Poke(1, watched=True)):
        assert ask(ended, late) == NOTHING


def test_what_the_old_attempt_saved_is_not_stamped_onto_the_new_one():
    session = second_attempt_serves()

    assert ask(session, Retire(1, BOX)) == NOTHING
    assert ask(session, Launched(1, BOX, None)) == NOTHING
    assert ask(session, FilesGone(1, Boot.RESUME)) == NOTHING
    assert session.workspace == Workspace(NEXT_BOX)


def test_no_identity_is_published_onto_a_dead_sandbox():
    assert ask(situations.ended(Ending.STALE), Launching(1, "new", "key")) == NOTHING


def test_the_socket_of_an_old_attempt_is_not_adopted():
    session = second_attempt_serves()

    assert ask(session, Connect(1)) == NOTHING
    assert ask(session, BecomeReady(1)) == NOTHING


def test_a_late_end_of_one_prompt_does_not_free_the_slot_of_another():
    session = situations.running(SECOND)
    second_runs = after(session, finish())

    assert ask(second_runs, finish(status=PromptStatus.FAILED)) == NOTHING
    assert second_runs.running is not None
    assert second_runs.running.prompt == SECOND


def test_the_end_that_the_old_attempt_tells_does_not_end_the_prompt_of_the_new_one():
    assert ask(second_attempt_serves(), finish(2)) == NOTHING


def test_a_stop_that_comes_after_the_end_stops_nothing():
    with pytest.raises(Rejected, match="nothing is running"):
        ask(after(situations.running(), finish()), Stop(ADA))


def test_the_clock_of_an_old_attempt_does_not_end_the_new_one():
    for clock in Clock:
        assert ask(second_attempt_serves(), TimedOut(1, Wait.SERVE, clock, None)) == NOTHING
