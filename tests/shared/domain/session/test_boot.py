"""An attempt that comes up: identified, launched, connected, ready, booted."""

from dataclasses import replace
from datetime import timedelta

from shared.domain.session.commands import (
    BecomeReady,
    Connect,
    FilesGone,
    GiveUp,
    Launched,
    LaunchFailed,
    Launching,
    ReportPhase,
    Retire,
)
from shared.domain.session.decision import NOTHING, ArmTimer, CompleteTask, Decision
from shared.domain.session.facts import (
    AttemptEnding,
    AttemptIdentified,
    AttemptLaunched,
    BootChosen,
    BootOver,
    BootPhase,
    BridgeConnected,
    BridgeReady,
    IdleSince,
    PhaseReported,
    PromptDispatched,
    PromptFinished,
    SandboxMoved,
    SessionMoved,
    TaskDisarmed,
    WorkspaceLost,
)
from shared.domain.session.failures import Failure, told
from shared.domain.session.sandbox import (
    Armed,
    Boot,
    Ending,
    ProviderId,
    SandboxStatus,
    Snapshot,
    Wait,
    Workspace,
)
from shared.domain.session.state import PromptStatus, SessionStatus
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import BOX, EXPIRY, FIRST, SECOND, after, ask

BUDGET = build.NOW + timedelta(minutes=30)
IN_TEN_MINUTES = build.NOW + timedelta(minutes=10)
SETUP = ReportPhase(attempt=1, phase="setup")
CONNECTING = SandboxMoved(SandboxStatus.CONNECTING)
READY = SandboxMoved(SandboxStatus.READY)


def test_the_identity_is_known_before_the_provider_is_asked():
    decision = ask(situations.spawning(FIRST), Launching(1, "hash", "key"))

    assert decision == Decision((AttemptIdentified("hash", "key", BUDGET),))


def test_an_image_whose_sandbox_does_not_come_up_is_left_aside_and_costs_no_prompt():
    booting = situations.connecting(FIRST, boot=Boot.IMAGE, image="image-1")

    failed = after(booting, GiveUp(1, "the harness does not start", Failure.AGENT))
    again = after(failed, Retire(1, None))

    assert failed.attempt is not None
    assert failed.attempt.ending is Ending.IMAGE
    assert (again.queue, again.image_refused) == ((FIRST,), True)
    assert again.attempt is not None
    assert again.attempt.boot is Boot.FRESH


def test_a_script_that_fails_on_an_image_fails_without_it_too():
    booting = situations.connecting(FIRST, boot=Boot.IMAGE, image="image-1")

    failed = after(booting, GiveUp(1, "start.sh failed", Failure.SCRIPT))

    assert failed.sandbox is SandboxStatus.FAILED
    assert failed.queue == ()


def test_a_wakened_sandbox_that_is_ready_when_it_has_to_be_put_away_fails_the_prompt():
    """Woken again it would take as long, and so on for ever."""
    late = EXPIRY - timedelta(minutes=5)
    booting = situations.connecting(FIRST, SECOND, boot=Boot.RESUME)

    failed = after(booting, BecomeReady(1), now=late)

    assert failed.attempt is not None
    assert failed.attempt.ending is Ending.FAILED
    assert failed.queue == (SECOND,)
    assert failed.error is not None
    assert "no time" in failed.error


def test_a_first_boot_that_comes_as_late_is_woken_once_more():
    late = EXPIRY - timedelta(minutes=5)
    booting = situations.connecting(FIRST)

    ready = after(booting, BecomeReady(1), now=late)

    assert ready.attempt is not None
    assert ready.attempt.ending is None
    assert ready.queue == (FIRST,)


def test_a_launch_that_is_tried_again_locks_the_first_one_out():
    once = after(situations.spawning(FIRST), Launching(1, "old", "key"))

    assert ask(once, Launching(1, "old", "key")) == NOTHING
    assert ask(once, Launching(1, "new", "key"), now=build.NOW + timedelta(minutes=9)) == Decision(
        (AttemptIdentified("new", "key", BUDGET),)
    )


def test_a_bridge_that_has_connected_keeps_its_identity():
    assert ask(situations.connecting(FIRST), Launching(1, "new", "key")) == NOTHING


def test_no_token_goes_live_for_an_attempt_that_has_ended():
    closed = situations.ended(Ending.CANCELLED)

    assert ask(closed, Launching(1, "hash", "key")) == NOTHING
    assert ask(closed, Launching(2, "hash", "key")) == NOTHING


def test_the_providers_answer_is_kept():
    session = situations.spawning(FIRST)

    decision = ask(session, Launched(1, BOX, EXPIRY))

    assert decision == Decision((AttemptLaunched(BOX, EXPIRY),))
    assert ask(after(session, Launched(1, BOX, EXPIRY)), Launched(1, BOX, EXPIRY)) == NOTHING


def test_a_new_expiry_of_the_same_sandbox_is_news():
    session = after(situations.spawning(FIRST), Launched(1, BOX, None))

    assert ask(session, Launched(1, BOX, EXPIRY)) == Decision((AttemptLaunched(BOX, EXPIRY),))


def test_what_was_made_for_an_attempt_that_has_ended_is_known_so_that_it_can_be_put_away():
    session = situations.spawning(FIRST, ending=Ending.FAILED)

    assert ask(session, Launched(1, BOX, EXPIRY)) == Decision((AttemptLaunched(BOX, EXPIRY),))
    assert ask(session, Launched(2, BOX, EXPIRY)) == NOTHING


def test_another_sandbox_of_an_attempt_counts_only_until_a_bridge_has_connected():
    other = ProviderId("box-2")
    unconnected = situations.spawning(FIRST, provider_id=BOX)

    assert ask(unconnected, Launched(1, other, EXPIRY)).events == (AttemptLaunched(other, EXPIRY),)
    assert ask(situations.connecting(FIRST), Launched(1, other, EXPIRY)) == NOTHING
    assert ask(situations.ready(), Launched(1, other, EXPIRY)) == NOTHING


def test_a_failed_launch_costs_the_prompt_that_waited_for_it():
    session = situations.spawning(FIRST, SECOND)

    decision = ask(session, LaunchFailed(1, "no such template", Failure.PERMANENT))

    error = (
        "the boot failed in phase starting: no such template: "
        "the provider refuses; whoever runs Outboard has to look at its key and template"
    )
    assert decision == Decision(
        (
            AttemptEnding(Ending.FAILED, error, counted_at=build.NOW),
            SandboxMoved(SandboxStatus.FAILED, reason="failed", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
        )
    )


def test_a_provider_without_capacity_leaves_the_files_where_they_are():
    session = replace(situations.spawning(FIRST, boot=Boot.RESUME), workspace=Workspace(BOX))

    failed = after(session, LaunchFailed(1, "no capacity"))

    assert failed.workspace == Workspace(BOX)


def test_files_that_are_gone_for_certain_are_forgotten_and_the_boot_is_a_fresh_one():
    decision = ask(situations.resuming(FIRST), FilesGone(1, Boot.RESUME))

    assert decision == Decision((WorkspaceLost(), BootChosen(Boot.FRESH)))


def test_that_the_sandbox_is_gone_said_twice_does_not_lose_the_copy():
    copy = Snapshot("copy-1", turn=1, marker=1, at=build.NOW)
    session = situations.resuming(FIRST, workspace=Workspace(BOX, 1, 1, copy))

    once = after(session, FilesGone(1, Boot.RESUME))

    assert once.workspace == Workspace(None, 1, 1, copy)
    assert ask(once, FilesGone(1, Boot.RESUME)) == NOTHING


def test_there_are_no_files_to_lose_before_there_was_a_sandbox():
    assert ask(situations.spawning(FIRST), FilesGone(1, Boot.FRESH)) == NOTHING


def test_a_providers_error_after_the_bridge_has_connected_fails_nothing():
    error = LaunchFailed(1, "timed out")

    assert ask(situations.connecting(FIRST), error) == NOTHING
    assert ask(situations.running(SECOND), error) == NOTHING


def test_a_bridge_connects_and_whoever_waits_for_it_is_told():
    session = situations.spawning(FIRST, armed=Armed(Wait.CONNECT, "t1"))

    decision = ask(session, Connect(1))

    assert decision == Decision(
        (BridgeConnected(marks=False), CONNECTING, TaskDisarmed()),
        (CompleteTask("t1", "connected", seconds=30 * 60),),
    )


def test_a_bridge_may_connect_again_and_again():
    assert ask(situations.connecting(FIRST), Connect(1)) == NOTHING
    assert ask(situations.running(), Connect(1)) == NOTHING


def test_a_bridge_of_an_ended_or_other_attempt_is_not_adopted():
    assert ask(situations.spawning(FIRST, ending=Ending.FAILED), Connect(1)) == NOTHING
    assert ask(situations.spawning(FIRST), Connect(2)) == NOTHING
    assert ask(build.session(), Connect(1)) == NOTHING


def test_the_phase_of_a_boot_is_kept_once():
    session = situations.connecting(FIRST)

    once, twice = ask(session, SETUP), ask(after(session, SETUP), SETUP)

    told = BootPhase(phase="setup", status="started")
    assert once == Decision((told, PhaseReported("setup")))
    assert twice == Decision((told,))


def test_a_phase_means_nothing_after_the_boot():
    assert ask(situations.ready(), SETUP) == NOTHING
    assert ask(situations.connecting(ending=Ending.FAILED), SETUP) == NOTHING
    assert ask(situations.connecting(), ReportPhase(attempt=2, phase="setup")) == NOTHING


def test_a_ready_bridge_gets_the_prompt_that_waits():
    session = situations.connecting(FIRST, SECOND, armed=Armed(Wait.READY, "t1"))

    decision = ask(session, BecomeReady(1))

    assert decision == Decision(
        (BridgeReady(), BootOver(), READY, PromptDispatched(1), TaskDisarmed()),
        (CompleteTask("t1", "ready", seconds=50 * 60),),
    )


def test_a_ready_bridge_without_work_starts_to_idle():
    decision = ask(situations.connecting(), BecomeReady(1))

    assert decision == Decision(
        (BridgeReady(), BootOver(), READY, IdleSince(IN_TEN_MINUTES)),
        (ArmTimer(1, IN_TEN_MINUTES),),
    )


def test_a_bridge_that_is_ready_has_connected():
    session = situations.spawning(FIRST, armed=Armed(Wait.CONNECT, "t1"), expires_at=EXPIRY)

    decision = ask(session, BecomeReady(1))

    assert decision == Decision(
        (
            BridgeConnected(marks=False),
            CONNECTING,
            BridgeReady(),
            BootOver(),
            READY,
            PromptDispatched(1),
            TaskDisarmed(),
        ),
        (CompleteTask("t1", "connected", seconds=30 * 60),),
    )


def test_being_ready_twice_is_being_ready_once():
    assert ask(situations.ready(), BecomeReady(1)) == NOTHING
    assert ask(situations.running(SECOND), BecomeReady(1)) == NOTHING


def test_an_ended_or_other_attempt_cannot_become_ready():
    assert ask(situations.connecting(FIRST, ending=Ending.FAILED), BecomeReady(1)) == NOTHING
    assert ask(situations.connecting(FIRST), BecomeReady(2)) == NOTHING


def test_a_boot_that_is_given_up_fails_the_prompt_naming_the_phase():
    session = situations.connecting(FIRST, phase="start")

    decision = ask(session, GiveUp(1, "start.sh ended with 1", Failure.SCRIPT))

    error = (
        "the boot failed in phase start: start.sh ended with 1: "
        "fix the script and push it, then send the prompt again"
    )
    assert decision == Decision(
        (
            AttemptEnding(Ending.FAILED, error),
            SandboxMoved(SandboxStatus.FAILED, reason="failed", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
            SessionMoved(SessionStatus.FAILED),
        )
    )


def test_a_boot_that_nobody_waits_for_fails_alone():
    session = situations.connecting()

    decision = ask(session, GiveUp(1, "no disk"))

    error = f"the boot failed in phase starting: {told('no disk', Failure.BOOT)}"
    assert decision == Decision(
        (
            AttemptEnding(Ending.FAILED, error, counted_at=build.NOW),
            SandboxMoved(SandboxStatus.FAILED, reason="failed", error=error),
        )
    )


def test_a_runtime_that_gives_up_while_it_serves_is_stale():
    decision = ask(situations.running(SECOND), GiveUp(1, "the harness died"))

    error = "the harness died: its files are kept; send the prompt again to go on from them"
    assert decision == Decision(
        (
            AttemptEnding(Ending.STALE, error),
            SandboxMoved(SandboxStatus.STALE, reason="stale", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
        )
    )


def test_nothing_is_given_up_twice():
    assert ask(situations.ended(Ending.STALE, SECOND), GiveUp(1, "again")) == NOTHING
    assert ask(situations.connecting(FIRST), GiveUp(2, "late")) == NOTHING
