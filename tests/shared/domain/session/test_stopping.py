"""A turn that somebody stops: answered at once, and confirmed or its sandbox is replaced."""

from dataclasses import replace
from datetime import timedelta

from shared.domain.session.commands import Arm, Beat, Clock, Retire, Stop, TimedOut
from shared.domain.session.decision import NOTHING, ArmTimer, CompleteTask, Decision, StartLife
from shared.domain.session.facts import (
    AttemptRetired,
    AttemptStarted,
    IdleSince,
    PromptFinished,
    SandboxMoved,
    SaveBegan,
    SessionMoved,
    StopRequested,
    TaskDisarmed,
    TurnLeft,
)
from shared.domain.session.orders import Orders, orders
from shared.domain.session.sandbox import Armed, Boot, SandboxStatus, Wait
from shared.domain.session.state import PromptStatus, SessionStatus, Stopping, StopReason
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import (
    BOX,
    DRAINING,
    SECOND,
    STOPPING,
    after,
    ask,
    finish,
    stop_unconfirmed,
)

ADA = build.ADA.user
DUE = build.NOW + timedelta(seconds=15)
UNCONFIRMED = "the agent did not confirm the stop within 15 seconds; its sandbox is replaced"


def test_a_stop_is_answered_at_once_and_the_workflow_begins_to_wait_for_its_confirmation():
    session = situations.running(SECOND, armed=Armed(Wait.SERVE, "t1"))

    decision = ask(session, Stop(ADA))

    assert decision == Decision(
        (StopRequested(1, ADA, STOPPING), TaskDisarmed()), (CompleteTask("t1", "stopping", 15),)
    )
    assert orders(after(session, Stop(ADA)), 1) == Orders("stop", 1)


def test_a_second_stop_gives_no_more_time():
    assert ask(situations.running(stop=STOPPING), Stop(ADA), now=DUE) == NOTHING


def test_a_confirmed_stop_ends_the_prompt_and_the_workflow_serves_again():
    session = situations.running(stop=STOPPING, armed=Armed(Wait.STOP, "t1"))
    in_ten_minutes = build.NOW + timedelta(minutes=10)

    decision = ask(session, finish(status=PromptStatus.STOPPED))

    assert decision == Decision(
        (
            TurnLeft(1),
            PromptFinished(number=1, status=PromptStatus.STOPPED),
            SessionMoved(SessionStatus.COMPLETED),
            IdleSince(in_ten_minutes),
            TaskDisarmed(),
        ),
        (ArmTimer(1, in_ten_minutes), CompleteTask("t1", "stopped", 50 * 60)),
    )


def test_a_turn_that_ended_well_before_it_could_be_stopped_ended_well():
    session = situations.running(stop=STOPPING)

    decision = ask(session, finish())

    in_ten_minutes = build.NOW + timedelta(minutes=10)
    assert decision == Decision(
        (
            TurnLeft(1),
            PromptFinished(number=1, status=PromptStatus.COMPLETED),
            SessionMoved(SessionStatus.COMPLETED),
            IdleSince(in_ten_minutes),
            SaveBegan(build.NOW),
            SandboxMoved(SandboxStatus.SNAPSHOTTING),
        ),
        (ArmTimer(1, in_ten_minutes),),
    )


def test_the_bridge_has_fifteen_seconds_to_confirm_whoever_asks():
    session = situations.running(SECOND, stop=STOPPING)
    too_early = DUE - timedelta(milliseconds=1)
    question = TimedOut(1, Wait.STOP, Clock.TIMEOUT, None)

    for asked in (question, Beat(1)):
        assert ask(session, asked, now=too_early) == NOTHING
        assert ask(session, asked, now=DUE) == stop_unconfirmed(UNCONFIRMED)


def test_behind_an_unconfirmed_stop_the_same_files_get_another_sandbox():
    session = after(situations.running(SECOND, stop=STOPPING), Beat(1), now=DUE)

    decision = ask(session, Retire(1, BOX), now=DUE)

    assert session.workspace.provider_id == BOX
    assert decision == Decision(
        (
            AttemptRetired(1, BOX),
            AttemptStarted(2, Boot.RESUME),
            SandboxMoved(SandboxStatus.SPAWNING),
        ),
        (StartLife(2, life=1),),
    )


def test_an_end_that_comes_after_the_stop_was_given_up_frees_nobody():
    session = after(situations.running(SECOND, stop=STOPPING), Beat(1), now=DUE)

    assert ask(session, finish(status=PromptStatus.STOPPED), now=DUE) == NOTHING
    assert session.queue == (SECOND,)


def test_a_sandbox_that_dies_while_it_is_stopped_has_stopped_the_prompt():
    session = situations.running(stop=STOPPING)

    died = ask(session, TimedOut(1, Wait.SERVE, Clock.HEARTBEAT, None))
    killed = after(session, Retire(1, BOX))

    assert died == NOTHING, "the wait has come to `stopping`, whose clock is the shorter one"
    assert killed.last_outcome is PromptStatus.STOPPED


def test_who_begins_to_wait_for_a_stop_that_is_confirmed_is_told():
    session = after(situations.running(stop=STOPPING), finish(status=PromptStatus.STOPPED))

    decision = ask(session, Arm(1, Wait.STOP, "t1"))

    assert decision == Decision((), (CompleteTask("t1", "stopped", 50 * 60),))


def test_a_stop_of_the_next_prompt_is_waited_for_by_the_same_wait():
    once = after(situations.running(SECOND, stop=STOPPING), finish(status=PromptStatus.STOPPED))

    stopped = after(once, Stop(ADA))

    assert ask(once, Arm(1, Wait.SERVE, "t1")).events != ()
    assert ask(stopped, Arm(1, Wait.SERVE, "t1")).effects == (CompleteTask("t1", "stopping", 15),)


def test_a_prompt_that_only_waits_leaves_an_idle_sandbox_when_it_is_stopped():
    session = situations.ready_for_nothing(SECOND)
    in_ten_minutes = build.NOW + timedelta(minutes=10)

    decision = ask(session, Stop(ADA))

    assert decision == Decision(
        (
            PromptFinished(number=2, status=PromptStatus.STOPPED),
            SessionMoved(SessionStatus.COMPLETED),
            IdleSince(in_ten_minutes),
        ),
        (ArmTimer(1, in_ten_minutes),),
    )


def test_a_stop_of_a_turn_that_the_end_of_its_sandbox_stops_already_is_what_it_ends_by():
    draining = replace(DRAINING, due=build.NOW + timedelta(seconds=60))
    session = situations.running(SECOND, stop=draining)

    decision = ask(session, Stop(ADA))
    ended = after(session, Stop(ADA), finish(status=PromptStatus.STOPPED))

    assert decision == Decision((StopRequested(1, ADA, STOPPING),))
    assert (ended.last_outcome, ended.held) == (PromptStatus.STOPPED, False)


def test_a_stop_gives_a_turn_no_more_time_than_its_sandbox_has():
    draining = replace(DRAINING, due=build.NOW + timedelta(seconds=3))

    decision = ask(situations.running(stop=draining), Stop(ADA))

    assert decision == Decision((StopRequested(1, ADA, Stopping(StopReason.ASKED, draining.due)),))
