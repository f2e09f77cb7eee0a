"""What must not be torn apart: each is one decision here, and one transaction in the store.

`test_f1` to `test_f11` and the four without a number are the operations that others found atomic in
a system of this kind. A test of this file shows the decision whole, and what it is conditional on;
that the store writes it whole or not at all is shown where the store is tested.
"""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.domain.errors import Invalid, Rejected
from shared.domain.session.commands import (
    Archive,
    BecomeReady,
    Cancel,
    Connect,
    Launched,
    LaunchFailed,
    Launching,
    RecordPush,
    Retire,
    SaveFiles,
    Stop,
    Unarchive,
)
from shared.domain.session.decision import NOTHING, CompleteTask, Decision, StartLife
from shared.domain.session.evolve import evolve, touched
from shared.domain.session.facts import (
    AttemptEnding,
    AttemptIdentified,
    AttemptStarted,
    BranchPushed,
    FilesSaved,
    IdleSince,
    PromptDispatched,
    PromptFinished,
    PromptQueued,
    SandboxMoved,
    SaveBegan,
    SaveEnded,
    SessionMoved,
    StopRequested,
    TaskDisarmed,
    TitleSet,
)
from shared.domain.session.moves import IllegalMove
from shared.domain.session.queue import go_on, settle
from shared.domain.session.sandbox import (
    Armed,
    Boot,
    Ending,
    SandboxStatus,
    Snapshot,
    Wait,
    Workspace,
)
from shared.domain.session.state import MAX_UNFINISHED_PROMPTS, PromptStatus, SessionStatus
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import (
    BOX,
    EXPIRY,
    FIRST,
    NOW,
    SECOND,
    STOPPING,
    after,
    ask,
    finish,
    saved,
    submit,
)

ADA = build.ADA.user


def test_f1_a_prompt_is_admitted_numbered_and_makes_the_session_active_at_once():
    decision = ask(build.session(), submit("Add a flag"))

    assert decision == Decision(
        (
            PromptQueued(FIRST, "Add a flag"),
            SessionMoved(SessionStatus.ACTIVE),
            TitleSet("Add a flag"),
            AttemptStarted(1, Boot.FRESH),
            SandboxMoved(SandboxStatus.SPAWNING),
        ),
        (StartLife(1, life=1),),
    )


def test_f1_or_nothing_of_it_happens():
    """Looking a repeated request up and claiming attachments are the store's: conditions and items
    of the same transaction, tested there.
    """
    waiting = tuple(build.prompt(number) for number in range(2, MAX_UNFINISHED_PROMPTS + 1))

    with pytest.raises(Rejected):
        ask(build.session(SessionStatus.ARCHIVED), submit())
    with pytest.raises(Rejected):
        ask(situations.running(*waiting), submit())
    with pytest.raises(Invalid):
        ask(build.session(), submit(" "))


def test_f2_the_next_prompt_is_claimed_with_the_idle_clock_that_it_stops():
    session = replace(situations.ready(idle_due=EXPIRY), queue=(SECOND,))

    assert go_on(session, NOW) == Decision((IdleSince(None), PromptDispatched(2)))


@pytest.mark.parametrize(
    "session",
    [
        situations.running(SECOND),
        situations.running(SECOND, stop=STOPPING),
        situations.ready(),
        situations.connecting(FIRST),
        situations.saving(SECOND),
        situations.ended(Ending.STALE, SECOND),
        situations.ready_for_nothing(SECOND),
        replace(situations.ready(), queue=(SECOND,), held=True),
    ],
)
def test_f2_only_by_a_free_bridge_that_is_meant_to_work(session):
    assert go_on(session, NOW) == NOTHING


def test_f3_a_stop_and_the_deadline_of_its_confirmation_are_one_fact():
    session = situations.running(armed=Armed(Wait.SERVE, "t1"))

    decision = ask(session, Stop(ADA))

    assert decision == Decision(
        (StopRequested(1, ADA, STOPPING), TaskDisarmed()), (CompleteTask("t1", "stopping", 15),)
    )
    assert STOPPING.due == build.NOW + timedelta(seconds=15)


def test_f3_the_prompt_is_completed_once_by_whoever_comes_first():
    session = situations.running(stop=STOPPING)

    confirmed = after(session, finish(status=PromptStatus.STOPPED))

    assert confirmed.last_outcome is PromptStatus.STOPPED
    assert ask(confirmed, finish(status=PromptStatus.COMPLETED)) == NOTHING


def test_f4_a_status_moves_only_from_one_that_it_may_follow():
    """Theirs compares and sets. Here the version of the whole session is compared, and a move that
    is not in the table is never stored.
    """
    cancelled = build.session(SessionStatus.CANCELLED)

    for status in set(SessionStatus) - {SessionStatus.CANCELLED}:
        with pytest.raises(IllegalMove):
            evolve(cancelled, SessionMoved(status))


def test_f4_what_people_ask_for_is_judged_by_the_status_that_is_there():
    archived = after(situations.ready(), Archive(ADA))

    assert ask(archived, Archive(ADA)) == NOTHING
    assert after(archived, Unarchive(ADA)).status is SessionStatus.CREATED
    assert ask(after(archived, Unarchive(ADA)), Unarchive(ADA)) == NOTHING


def test_f5_a_session_settles_by_what_is_left_of_its_prompts():
    done = build.session(SessionStatus.ACTIVE, last_outcome=PromptStatus.COMPLETED)

    assert settle(done, NOW) == Decision((SessionMoved(SessionStatus.COMPLETED),))
    assert settle(situations.running(SECOND), NOW) == NOTHING


@pytest.mark.parametrize("status", [SessionStatus.ARCHIVED, SessionStatus.CANCELLED])
def test_f5_and_not_when_it_was_closed_meanwhile(status: SessionStatus):
    closed = build.session(status, last_outcome=PromptStatus.COMPLETED)

    assert settle(closed, NOW) == NOTHING


def test_f6_a_copy_begins_only_of_a_ready_sandbox_and_shows_that_it_does():
    decision = ask(situations.ready(), SaveFiles(ADA))

    assert decision == Decision((SaveBegan(build.NOW), SandboxMoved(SandboxStatus.SNAPSHOTTING)))
    assert ask(situations.saving(), SaveFiles(ADA)) == NOTHING
    with pytest.raises(Rejected):
        ask(situations.connecting(), SaveFiles(ADA))


def test_f6_a_copy_completes_with_its_stamp_and_the_status_in_one():
    session = situations.saving(SECOND)

    decision = ask(session, saved())

    assert decision == Decision(
        (
            FilesSaved(Snapshot("copy-1", turn=1, marker=0, at=build.NOW)),
            SaveEnded(),
            SandboxMoved(SandboxStatus.READY),
            PromptDispatched(2),
        )
    )


def test_f6_it_stamps_no_other_attempt_and_restores_no_other_status():
    ended = situations.ended(Ending.STALE)

    assert ask(situations.saving(), saved(attempt=2)) == NOTHING
    assert after(ended, saved()).sandbox is SandboxStatus.STALE
    assert after(situations.running(), saved()).running is not None


def test_f7_an_identity_is_reserved_before_its_token_exists_and_published_onto_it_only():
    """Their two phases are two commands: the attempt is numbered when it is started, and its hash
    is taken only while it has neither connected nor ended.
    """
    started = after(build.session(), submit())
    in_thirty_minutes = build.NOW + timedelta(minutes=30)

    decision = ask(started, Launching(1, "hash", "key"))

    assert started.attempt is not None
    assert started.attempt.token_hash is None
    assert decision == Decision((AttemptIdentified("hash", "key", in_thirty_minutes),))
    assert ask(started, Launching(2, "hash", "key")) == NOTHING
    assert ask(situations.connecting(FIRST), Launching(1, "hash", "key")) == NOTHING
    assert ask(after(started, Cancel(ADA)), Launching(1, "hash", "key")) == NOTHING


@pytest.mark.parametrize("ending", list(Ending))
def test_f8_an_end_takes_status_token_tunnels_and_idle_work_in_one(ending: Ending):
    session = situations.running(tunnels=((8080, "https://8080-box-1.example.com"),))

    ended = evolve(session, AttemptEnding(ending))

    assert ended.attempt is not None
    assert ended.attempt.token_hash is None
    assert ended.attempt.tunnels == ()
    assert not ended.attempt.serves


def test_f8_and_the_prompt_that_it_interrupts():
    session = situations.running(SECOND, armed=Armed(Wait.SERVE, "t1"))

    decision = ask(session, Cancel(ADA))

    assert decision == Decision(
        (
            PromptFinished(number=1, status=PromptStatus.CANCELLED),
            PromptFinished(number=2, status=PromptStatus.CANCELLED),
            SessionMoved(SessionStatus.CANCELLED),
            AttemptEnding(Ending.CANCELLED),
            SandboxMoved(SandboxStatus.STOPPED, reason="cancelled"),
            TaskDisarmed(),
        ),
        (CompleteTask("t1", "ended"),),
    )


def test_f8_a_sandbox_is_retired_and_the_next_one_started_in_one():
    ended = situations.ended(Ending.INACTIVE, SECOND)

    after_it = after(ended, Retire(1, BOX))

    assert after_it.attempt == build.attempt(2, boot=Boot.RESUME)
    assert after_it.sandbox is SandboxStatus.SPAWNING


def test_f9_a_push_is_an_artifact_once():
    """Theirs claims the creation of a pull request. There are none yet; the nearest is that the
    first push of the session branch makes an artifact, and every other one moves it.
    """
    session = situations.running()
    push = RecordPush(1, 1, "tool", "outboard/s1", "c1")

    assert ask(session, push) == Decision((BranchPushed("tool", "outboard/s1", "c1", first=True),))
    assert ask(after(session, push), push) == NOTHING


def test_f10_a_push_of_an_old_attempt_or_prompt_moves_no_branch():
    """Theirs applies a pull request's state, never an older one. There are none yet; the nearest
    is where the branch stands.
    """
    session = after(situations.running(SECOND), finish())

    assert ask(session, RecordPush(1, 1, "tool", "outboard/s1", "c1")) == NOTHING
    assert ask(session, RecordPush(2, 2, "tool", "outboard/s1", "c1")) == NOTHING


def test_f11_what_a_session_has_cost_is_added_where_its_prompt_ends():
    """Theirs projects sums into another store, fenced by a time. Here they are the session's own
    and part of the same write.
    """
    ended = after(situations.running(), finish(cost=0.5), finish(cost=9.0))

    assert ended.cost == 0.5


def test_last_activity_never_goes_backwards():
    before = build.session(updated_at=build.NOW)
    earlier, later = build.NOW - timedelta(hours=1), build.NOW + timedelta(hours=1)
    changed = replace(before, prompts=1)

    assert touched(before, changed, earlier).updated_at == build.NOW
    assert touched(before, changed, later).updated_at == later


@pytest.mark.parametrize("ending", list(Ending))
def test_addresses_are_published_only_onto_a_sandbox_that_is_not_dead(ending: Ending):
    tunnels = ((8080, "https://8080-box-1.example.com"),)
    alive = after(situations.spawning(FIRST), Launched(1, BOX, EXPIRY, tunnels))
    dead = replace(situations.spawning(ending=ending), sandbox=ending.sandbox)

    late = after(dead, Launched(1, BOX, EXPIRY, tunnels))

    assert alive.attempt is not None
    assert alive.attempt.tunnels == tunnels
    assert late.attempt is not None
    assert late.attempt.tunnels == ()


def test_a_start_is_finished_only_by_its_own_attempt_while_it_starts():
    starting = situations.spawning(FIRST)

    assert after(starting, LaunchFailed(1, "no")).sandbox is SandboxStatus.FAILED
    assert ask(starting, LaunchFailed(2, "no")) == NOTHING
    assert ask(situations.connecting(FIRST), LaunchFailed(1, "no")) == NOTHING
    assert ask(situations.running(), LaunchFailed(1, "no")) == NOTHING
    assert ask(situations.ended(Ending.FAILED), LaunchFailed(1, "no")) == NOTHING


def test_a_socket_is_adopted_only_by_a_living_attempt_of_an_open_session():
    cancelled = after(situations.spawning(FIRST), Cancel(ADA))

    assert after(situations.spawning(FIRST), Connect(1, 0)).sandbox is SandboxStatus.CONNECTING
    assert ask(cancelled, Connect(1, 0)) == NOTHING
    assert ask(cancelled, BecomeReady(1)) == NOTHING
    assert ask(situations.spawning(FIRST), Connect(2, 0)) == NOTHING
    assert Workspace() == cancelled.workspace
