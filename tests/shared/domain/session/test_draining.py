"""The end of a sandbox's lifetime: the turn is stopped, the files are saved, the queue is held."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from shared.domain.session.commands import (
    Archive,
    Arm,
    Beat,
    BecomeReady,
    CancelPrompt,
    Clock,
    Command,
    Launched,
    Poke,
    ResumeQueue,
    Retire,
    Stop,
    TimedOut,
)
from shared.domain.session.decision import NOTHING, CompleteTask, Decision, StartLife
from shared.domain.session.ending import HELD, INTERRUPTED, LIFETIME_OVER
from shared.domain.session.facts import (
    AttemptEnding,
    AttemptLaunched,
    AttemptRetired,
    AttemptStarted,
    BootOver,
    BridgeReady,
    IdleSince,
    PromptDispatched,
    PromptFinished,
    PromptQueued,
    QueueHeld,
    QueueResumed,
    SandboxMoved,
    SessionMoved,
    StopRequested,
    TaskDisarmed,
    TurnLeft,
)
from shared.domain.session.failures import Failure, told
from shared.domain.session.rules import DEFAULT_RULES
from shared.domain.session.sandbox import Armed, Boot, Ending, SandboxStatus, Wait
from shared.domain.session.state import PromptStatus, Session, SessionStatus, Stopping, StopReason
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import (
    BOX,
    EXPIRY,
    FIRST,
    SECOND,
    THIRD,
    after,
    ask,
    finish,
    saved,
    submit,
)

ADA = build.ADA.user
DRAIN = EXPIRY - timedelta(minutes=10)
OVER = DRAIN + timedelta(seconds=60)
DRAINING = Stopping(StopReason.LIFETIME, OVER)
SERVED = TimedOut(1, Wait.SERVE, Clock.TIMEOUT, DRAIN)
PUT_AWAY = Decision(
    (AttemptEnding(Ending.LIFETIME), SandboxMoved(SandboxStatus.STOPPED, reason="lifetime"))
)
NEXT_ATTEMPT = Decision(
    (AttemptStarted(2, Boot.RESUME), SandboxMoved(SandboxStatus.SPAWNING)),
    (StartLife(2, life=1),),
)


def held(*queue: int) -> Session:
    """A turn was cut off, and its sandbox is put away."""
    waiting = tuple(build.prompt(number) for number in queue)
    session = situations.ended(Ending.LIFETIME, *waiting, last_outcome=PromptStatus.FAILED)
    return after(replace(session, held=True), Retire(1, BOX))


@pytest.mark.parametrize("asked", [SERVED, Beat(1)])
def test_an_idle_sandbox_is_put_away_when_its_buffer_begins_and_not_before(asked: Command):
    session = situations.ready(idle_due=EXPIRY)

    assert ask(session, asked, now=DRAIN - timedelta(seconds=1)) == NOTHING
    assert ask(session, asked, now=DRAIN) == PUT_AWAY


@pytest.mark.parametrize("asked", [SERVED, Beat(1)])
def test_a_turn_that_runs_then_has_a_minute_to_end(asked: Command):
    session = situations.running(SECOND, armed=Armed(Wait.SERVE, "t1"))

    decision = ask(session, asked, now=DRAIN)

    assert decision == Decision(
        (StopRequested(1, None, DRAINING), TaskDisarmed()), (CompleteTask("t1", "stopping", 60),)
    )


def test_a_turn_that_somebody_stops_already_ends_as_stopped_and_the_sandbox_drains_after_it():
    session = situations.running(stop=Stopping(StopReason.ASKED, DRAIN + timedelta(seconds=5)))

    confirmed = after(session, finish(status=PromptStatus.STOPPED), now=DRAIN)

    assert ask(session, Beat(1), now=DRAIN) == NOTHING
    assert confirmed.last_outcome is PromptStatus.STOPPED
    assert not confirmed.held
    assert ask(confirmed, Beat(1), now=DRAIN) == PUT_AWAY


def test_a_turn_that_was_cut_off_fails_once_and_what_waits_behind_it_is_held():
    session = situations.running(SECOND, THIRD, stop=DRAINING, armed=Armed(Wait.STOP, "t1"))

    decision = ask(session, finish(status=PromptStatus.STOPPED), now=DRAIN)

    assert decision == Decision(
        (
            TurnLeft(1),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=INTERRUPTED),
            QueueHeld(HELD),
            AttemptEnding(Ending.LIFETIME),
            SandboxMoved(SandboxStatus.STOPPED, reason="lifetime"),
            TaskDisarmed(),
        ),
        (CompleteTask("t1", "ended"),),
    )


def test_a_turn_that_was_cut_off_with_nothing_behind_it_holds_nothing():
    decision = ask(
        situations.running(stop=DRAINING), finish(status=PromptStatus.STOPPED), now=DRAIN
    )

    assert decision == Decision(
        (
            TurnLeft(1),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=INTERRUPTED),
            AttemptEnding(Ending.LIFETIME),
            SandboxMoved(SandboxStatus.STOPPED, reason="lifetime"),
            SessionMoved(SessionStatus.FAILED),
        )
    )


@pytest.mark.parametrize("status", [PromptStatus.COMPLETED, PromptStatus.FAILED])
def test_a_turn_that_came_to_its_own_end_wins_and_the_queue_goes_on_in_the_next_sandbox(
    status: PromptStatus,
):
    session = situations.running(SECOND, stop=DRAINING)

    decision = ask(session, finish(status=status), now=DRAIN)
    retired = ask(after(session, finish(status=status), now=DRAIN), Retire(1, BOX), now=DRAIN)

    assert decision == Decision(
        (TurnLeft(1), PromptFinished(number=1, status=status), *PUT_AWAY.events)
    )
    assert retired == Decision((AttemptRetired(1, BOX),)) + NEXT_ATTEMPT


def test_a_turn_that_does_not_end_within_the_minute_fails_once_and_holds_the_queue():
    session = situations.running(SECOND, stop=DRAINING)

    assert ask(session, Beat(1), now=OVER - timedelta(seconds=1)) == NOTHING
    assert ask(session, Beat(1), now=OVER) == Decision(
        (
            AttemptEnding(Ending.LIFETIME, LIFETIME_OVER),
            SandboxMoved(SandboxStatus.STOPPED, reason="lifetime", error=LIFETIME_OVER),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=LIFETIME_OVER),
            QueueHeld(HELD),
        )
    )
    assert after(session, Beat(1), now=OVER).error is None


def test_no_prompt_is_dispatched_to_a_sandbox_that_is_about_to_end():
    session = situations.ready(idle_due=EXPIRY)

    decision = ask(session, submit("go on"), now=DRAIN)

    assert decision == Decision((PromptQueued(SECOND, "go on"), SessionMoved(SessionStatus.ACTIVE)))


def test_a_clean_end_goes_on_by_itself_with_what_waits():
    waiting = after(situations.ready(idle_due=EXPIRY), submit(), now=DRAIN)

    drained = after(waiting, Beat(1), now=DRAIN)

    assert not drained.held
    assert ask(drained, Retire(1, BOX)) == Decision((AttemptRetired(1, BOX),)) + NEXT_ATTEMPT


def test_a_sandbox_drains_once_its_files_are_copied():
    saving = situations.saving()

    copied = after(saving, saved(), now=DRAIN)

    assert ask(saving, Beat(1), now=DRAIN) == NOTHING
    assert ask(copied, Beat(1), now=DRAIN) == PUT_AWAY


WOKEN_TOO_LATE = "it was ready when there was no time left to work in its lifetime"


@pytest.mark.parametrize("boot", [Boot.RESUME, Boot.RESTORE])
def test_a_sandbox_that_wakes_when_its_time_is_over_fails_what_waits_instead_of_waking_for_ever(
    boot: Boot,
):
    session = situations.connecting(FIRST, SECOND, boot=boot)

    decision = ask(session, BecomeReady(1), now=DRAIN)

    error = f"the boot failed in phase starting: {told(WOKEN_TOO_LATE, Failure.BOOT)}"
    assert decision == Decision(
        (
            BridgeReady(),
            BootOver(),
            SandboxMoved(SandboxStatus.READY),
            AttemptEnding(Ending.FAILED, error, counted_at=DRAIN),
            SandboxMoved(SandboxStatus.FAILED, reason="failed", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
        )
    )
    assert after(session, BecomeReady(1), now=DRAIN).workspace.provider_id == BOX


def test_a_fresh_one_that_is_late_is_put_away_and_woken_which_is_quicker():
    late = after(situations.connecting(FIRST), BecomeReady(1), now=DRAIN)

    drained = after(late, Beat(1), now=DRAIN)

    assert late.queue == drained.queue == (FIRST,)
    assert ask(drained, Retire(1, BOX)).effects == (StartLife(2, life=1),)


@pytest.mark.parametrize(
    "session",
    [
        situations.connecting(boot=Boot.RESUME),
        situations.connecting(FIRST, boot=Boot.RESUME, expires_at=None),
    ],
)
def test_nobody_waits_in_vain_for_a_sandbox_that_is_wanted_by_nobody_or_may_last(session: Session):
    assert after(session, BecomeReady(1), now=DRAIN).sandbox is SandboxStatus.READY


def test_a_held_queue_starts_nothing_and_takes_more():
    session = held(2)

    submitted = ask(session, submit("and this"))

    assert session.queue == (SECOND,)
    assert session.attempt is None
    assert submitted == Decision((PromptQueued(THIRD, "and this"),))


def test_a_held_queue_goes_on_when_somebody_says_so():
    decision = ask(held(2, 3), ResumeQueue(ADA))

    assert decision == Decision((QueueResumed(ADA),)) + NEXT_ATTEMPT


def test_a_queue_that_is_resumed_while_its_sandbox_is_put_away_waits_for_that():
    session = replace(situations.ended(Ending.LIFETIME, SECOND), held=True)

    resumed = after(session, ResumeQueue(ADA))

    assert ask(session, ResumeQueue(ADA)) == Decision((QueueResumed(ADA),))
    assert ask(resumed, Retire(1, BOX)) == Decision((AttemptRetired(1, BOX),)) + NEXT_ATTEMPT


def test_what_is_not_held_cannot_be_resumed():
    for session in (situations.running(SECOND), situations.ready(), build.session()):
        assert ask(session, ResumeQueue(ADA)) == NOTHING


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (CancelPrompt(2), SessionStatus.FAILED),
        (Stop(ADA), SessionStatus.COMPLETED),
        (Stop(ADA, prompt=2), SessionStatus.COMPLETED),
    ],
)
def test_a_held_queue_that_is_emptied_holds_nothing_any_more(
    command: Command, status: SessionStatus
):
    emptied = after(held(2), command)

    assert not emptied.held
    assert emptied.status is status
    assert ask(emptied, submit("anew")).effects == (StartLife(2, life=1),)


def test_taking_one_of_a_held_queue_back_leaves_the_others_held():
    session = after(held(2, 3), CancelPrompt(2))

    assert session.held
    assert session.queue == (THIRD,)


def test_a_session_whose_held_queue_is_emptied_can_be_archived():
    emptied = after(held(2), CancelPrompt(2))

    assert after(emptied, Archive(ADA)).status is SessionStatus.ARCHIVED


def test_a_prompt_waits_while_nobody_knows_when_the_sandbox_ends():
    session = situations.ready(expires_at=None, idle_due=EXPIRY)

    decision = ask(session, submit("go on"))

    assert decision == Decision((PromptQueued(SECOND, "go on"), SessionMoved(SessionStatus.ACTIVE)))


def test_it_is_dispatched_as_soon_as_the_end_is_known():
    session = situations.ready_for_nothing(SECOND, idle_due=EXPIRY)

    decision = ask(session, Launched(1, BOX, EXPIRY))

    assert decision == Decision(
        (AttemptLaunched(BOX, EXPIRY), IdleSince(None), PromptDispatched(2))
    )


def test_an_end_that_is_known_to_be_near_dispatches_nothing():
    near = build.NOW + timedelta(minutes=10)

    decision = ask(situations.ready_for_nothing(SECOND), Launched(1, BOX, near))

    assert decision == Decision((AttemptLaunched(BOX, near),))


def test_a_sandbox_whose_end_is_unknown_does_not_drain():
    far_future = datetime.max.replace(tzinfo=EXPIRY.tzinfo)

    assert ask(situations.ready(expires_at=None), Beat(1), now=far_future) == NOTHING


def test_the_provider_is_asked_about_an_unknown_end_again_and_again_but_silence_is_noticed_first():
    session = situations.ready(expires_at=None)

    [completion] = ask(session, Arm(1, Wait.READY, "t1")).effects

    assert completion == CompleteTask("t1", "ready", seconds=90 + 30)
    assert timedelta(seconds=120) > DEFAULT_RULES.heartbeat


def test_an_idle_sandbox_of_unknown_end_is_put_away_all_the_same():
    session = situations.ready(expires_at=None, idle_due=build.NOW)

    poked = after(session, Poke(1, watched=False))

    assert poked.sandbox is SandboxStatus.STOPPED


def test_a_sandbox_of_unknown_end_idles_when_what_waited_for_it_is_taken_back():
    in_ten_minutes = build.NOW + timedelta(minutes=10)

    taken_back = after(situations.ready_for_nothing(SECOND), CancelPrompt(2))

    assert taken_back.attempt is not None
    assert taken_back.attempt.idle_due == in_ten_minutes


def test_a_prompt_that_only_waited_is_not_interrupted_by_the_end_of_a_lifetime():
    waiting = after(situations.ready(idle_due=EXPIRY), submit(), now=DRAIN)

    drained = after(waiting, Beat(1), now=DRAIN)

    assert drained.queue == (SECOND,)
    assert drained.last_outcome is None
