"""Races that systems of this kind are known for. Each is lost by somebody; nobody pays for it.

Between two commits anything may happen. What comes too late is decided upon as if it were asked
now, and names the attempt and the prompt that it is about: that is all there is to it.

`test_race_01` to `test_race_12` are those that others found in a system of this kind and wrote
down; `test_atomic_operations.py` has what must not be torn apart.
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
    CompleteBoot,
    Connect,
    FilesGone,
    FinishPrompt,
    GiveUp,
    Launched,
    LaunchFailed,
    Launching,
    Poke,
    Retire,
    SaveFailed,
    Stop,
    TimedOut,
    Vanished,
)
from shared.domain.session.decision import NOTHING, CompleteTask, Decision
from shared.domain.session.evolve import touched
from shared.domain.session.facts import AttemptLaunched, AttemptRetired, FilesSaved
from shared.domain.session.failures import Failure
from shared.domain.session.sandbox import (
    Boot,
    Ending,
    ProviderId,
    SandboxStatus,
    Snapshot,
    Wait,
    Workspace,
)
from shared.domain.session.state import PromptStatus, Session, SessionStatus
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import (
    BOX,
    EXPIRY,
    FIRST,
    SECOND,
    after,
    ask,
    finish,
    saved,
    submit,
)

ADA = build.ADA.user
CANCEL = Cancel(ADA)
NEXT_BOX = ProviderId("box-2")
DEAD = [
    Ending.INACTIVE,
    Ending.STOPPED,
    Ending.LIFETIME,
    Ending.STALE,
    Ending.CANCELLED,
    Ending.FAILED,
]


def second_attempt_serves() -> Session:
    """The first attempt is retired; the second one runs prompt 2."""
    serving = build.attempt(
        2,
        connected=True,
        ready=True,
        complete=True,
        provider_id=NEXT_BOX,
        token_hash="h2",
        expires_at=EXPIRY,
    )
    return replace(
        after(situations.running(), finish(), saved(), submit()),
        attempts=2,
        attempt=serving,
        workspace=Workspace(NEXT_BOX, turn=1),
    )


def test_race_01_a_prompt_that_meets_a_cancelled_session_does_not_revive_it():
    """Theirs awaited a hash between its check and its write. Here both are one commit, and one
    that lost the race is decided upon anew.
    """
    cancelled = after(situations.running(), CANCEL)

    with pytest.raises(Rejected):
        ask(cancelled, submit())


def test_race_02_no_sandbox_is_started_for_a_session_that_was_cancelled_first():
    """Whatever is awaited before the provider is called: the call needs an identity, and there is
    none to be had after the cancel.
    """
    cancelled = after(situations.spawning(FIRST), CANCEL)

    assert ask(cancelled, Launching(1, "hash", "key")) == NOTHING
    assert ask(cancelled, Arm(1, Wait.CONNECT, "t1")).effects == (CompleteTask("t1", "ended"),)
    assert ask(cancelled, Retire(1, None)) == Decision((AttemptRetired(1, None),))


@pytest.mark.parametrize("status", [PromptStatus.COMPLETED, PromptStatus.FAILED])
def test_race_03_the_end_of_a_run_does_not_reopen_a_closed_session(status: PromptStatus):
    cancelled = after(situations.running(SECOND), CANCEL)
    archived = replace(situations.ended(Ending.STOPPED), status=SessionStatus.ARCHIVED)

    assert ask(cancelled, finish(status=status)) == NOTHING
    assert cancelled.status is SessionStatus.CANCELLED
    assert ask(archived, finish(status=status)) == NOTHING


def test_race_04_a_slow_clock_does_not_move_a_session_down_the_list():
    """Their last activity; ours decides the place in the list and never goes backwards."""
    before = build.session(updated_at=build.NOW)
    earlier = build.NOW - timedelta(seconds=3)

    assert touched(before, replace(before, prompts=1), earlier).updated_at == build.NOW


def test_race_04_the_idle_clock_is_set_by_the_commit_that_ends_the_turn():
    """A slow clock can only have a sandbox put away early, and never one that works."""
    earlier = build.NOW - timedelta(minutes=20)
    idle = after(situations.running(), finish(status=PromptStatus.FAILED), now=earlier)

    busy = after(idle, submit())

    assert idle.attempt is not None
    assert idle.attempt.idle_due == earlier + timedelta(minutes=10)
    assert ask(busy, Poke(1, watched=False)) == NOTHING


def test_race_05_a_cost_that_is_told_twice_is_counted_once():
    """Theirs projected sums into another store, unfenced. Ours are added in the commit that ends
    the prompt, which it does once.
    """
    done = after(situations.running(), finish(cost=0.5), finish(cost=0.5))

    assert done.cost == 0.5


def test_race_06_a_token_that_was_made_before_the_cancel_is_dead_after_it():
    identified = after(situations.spawning(FIRST), Launching(1, "hash", "key"))

    cancelled = after(identified, CANCEL)

    assert cancelled.attempt is not None
    assert cancelled.attempt.token_hash is None
    assert ask(cancelled, Launching(1, "hash", "key")) == NOTHING


@pytest.mark.parametrize("ending", DEAD)
def test_race_07_a_late_answer_of_the_provider_does_not_revive_a_dead_sandbox(ending: Ending):
    """What it made is remembered all the same, so that it can be put away."""
    dead = replace(situations.spawning(ending=ending), sandbox=ending.sandbox)

    decision = ask(dead, Launched(1, BOX, EXPIRY))

    assert decision == Decision((AttemptLaunched(BOX, EXPIRY),))
    assert after(dead, Launched(1, BOX, EXPIRY)).sandbox is ending.sandbox


@pytest.mark.parametrize("failure", list(Failure))
def test_race_08_an_error_of_the_provider_does_not_fail_a_sandbox_that_works(failure: Failure):
    for session in (situations.connecting(FIRST), situations.running(SECOND)):
        assert ask(session, LaunchFailed(1, "gateway time-out", failure)) == NOTHING
        assert ask(session, FilesGone(1, session_boot(session))) == NOTHING


def session_boot(session: Session) -> Boot:
    assert session.attempt is not None
    return session.attempt.boot


@pytest.mark.parametrize("ending", DEAD)
def test_race_09_a_copy_that_ends_after_the_sandbox_does_not_make_it_ready(ending: Ending):
    ended = situations.ended(ending, SECOND)

    assert ask(ended, saved()).events == (
        FilesSaved(Snapshot("copy-1", turn=1, marker=0, at=build.NOW)),
    )
    assert after(ended, saved()).sandbox is ending.sandbox
    assert after(ended, SaveFailed(1, "too late")).sandbox is ending.sandbox


def test_race_09_nothing_else_that_completes_after_the_end_does_either():
    ended = situations.ended(Ending.STALE, SECOND)

    for late in (
        Connect(1),
        BecomeReady(1),
        CompleteBoot(1),
        GiveUp(1, "x"),
        finish(),
        Poke(1, watched=True),
    ):
        assert ask(ended, late) == NOTHING


def test_race_10_what_the_old_attempt_copied_is_not_stamped_onto_the_new_one():
    session = second_attempt_serves()

    assert ask(session, saved(attempt=1)) == NOTHING
    assert ask(session, SaveFailed(1, "too late")) == NOTHING
    assert ask(session, Retire(1, BOX)) == NOTHING
    assert ask(session, FilesGone(1, Boot.RESUME)) == NOTHING
    assert ask(session, Vanished(1, BOX)) == NOTHING
    assert session.workspace == Workspace(NEXT_BOX, turn=1)


@pytest.mark.parametrize("ending", DEAD)
def test_race_11_nothing_is_published_onto_a_dead_sandbox(ending: Ending):
    """Theirs were passwords and addresses; ours are the token's hash and the tunnels."""
    ended = situations.ended(ending)
    tunnels = ((8080, "https://8080-box-1.example.com"),)

    late = after(ended, Launched(1, NEXT_BOX, EXPIRY, tunnels), Launching(1, "new", "key"))

    assert late.attempt is not None
    assert late.attempt.token_hash is None
    assert late.attempt.tunnels == ()


def test_race_12_the_socket_of_an_old_attempt_is_not_adopted():
    session = second_attempt_serves()

    assert ask(session, Connect(1)) == NOTHING
    assert ask(session, BecomeReady(1)) == NOTHING


@pytest.mark.parametrize("ending", DEAD)
def test_race_12_nor_is_that_of_one_that_has_ended(ending: Ending):
    dead = replace(situations.spawning(ending=ending), sandbox=ending.sandbox)

    assert ask(dead, Connect(1, 0)) == NOTHING
    assert ask(dead, BecomeReady(1)) == NOTHING


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


def test_a_stop_and_an_end_that_cross_each_other_free_the_next_prompt_once():
    session = after(situations.running(SECOND), Stop(ADA))

    ended = after(session, finish())
    late = FinishPrompt(attempt=1, prompt=1, status=PromptStatus.STOPPED)

    assert ended.running is not None
    assert ended.running.prompt == SECOND
    assert not ended.running.stopping
    assert ask(ended, late) == NOTHING


def test_the_clock_of_an_old_attempt_does_not_end_the_new_one():
    for clock in Clock:
        assert ask(second_attempt_serves(), TimedOut(1, Wait.SERVE, clock, None)) == NOTHING


def test_a_retirement_and_a_prompt_that_cross_each_other_start_one_attempt():
    ended = situations.ended(Ending.INACTIVE, status=SessionStatus.COMPLETED)

    prompt_first = after(ended, submit(), Retire(1, BOX))
    retired_first = after(ended, Retire(1, BOX), submit())

    assert prompt_first == retired_first
    assert prompt_first.attempts == 2


def test_two_runs_of_a_workflow_that_both_find_the_sandbox_gone_lose_no_copy():
    copy = Snapshot("copy-1", turn=1, marker=1, at=build.NOW)
    session = situations.resuming(FIRST, workspace=Workspace(BOX, 1, 1, copy))

    both = after(session, FilesGone(1, Boot.RESUME), FilesGone(1, Boot.RESUME))

    assert both.workspace.snapshot == copy


def test_two_runs_of_a_workflow_that_both_copied_keep_the_newer_copy():
    session = situations.saving()
    newer = replace(session, workspace=Workspace(BOX, turn=2))

    kept = after(newer, saved(2, snapshot="copy-2"), saved(1, snapshot="copy-1"))

    assert kept.workspace.snapshot is not None
    assert kept.workspace.snapshot.id == "copy-2"
    assert kept.sandbox is SandboxStatus.READY
