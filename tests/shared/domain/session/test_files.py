"""The session's files: checked when they wake, replaced by their copy, never by guesswork."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.domain.session.commands import (
    BecomeReady,
    Connect,
    FilesGone,
    Launched,
    LaunchFailed,
    Retire,
    Vanished,
)
from shared.domain.session.decision import NOTHING, CompleteTask, Decision, StartLife
from shared.domain.session.facts import (
    AttemptEnding,
    AttemptLaunched,
    AttemptRetired,
    AttemptStarted,
    BootChosen,
    BridgeConnected,
    PromptFinished,
    SandboxMoved,
    SessionMoved,
    SnapshotLost,
    TaskDisarmed,
    TurnsMissed,
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
from shared.domain.session.state import PromptStatus, Session, SessionStatus
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import BOX, EXPIRY, FIRST, SECOND, after, ask, finish

COPY = Snapshot("copy-3", turn=3, marker=3, at=build.NOW)
FILES = Workspace(BOX, turn=5, marker=5, snapshot=COPY)
UNCOPIED = Workspace(BOX, turn=5, marker=5)
ONLY_COPY = Workspace(None, turn=3, marker=3, snapshot=COPY)
OTHER_BOX = ProviderId("box-2")
CONNECTED = (BridgeConnected(marks=True), SandboxMoved(SandboxStatus.CONNECTING))
GONE = "the sandbox does not exist any more"


def waking(workspace: Workspace = FILES, **attempt: object) -> Session:
    return situations.resuming(SECOND, workspace=workspace, **attempt)


@pytest.mark.parametrize("marker", [5, 6])
def test_files_with_the_newest_mark_or_a_later_one_are_whole(marker: int):
    assert ask(waking(), Connect(1, marker)) == Decision(CONNECTED)


@pytest.mark.parametrize("marker", [0, 2])
def test_a_sandbox_that_woke_without_files_that_a_copy_has_is_put_aside(marker: int):
    session = waking(armed=Armed(Wait.CONNECT, "t1"))

    decision = ask(session, Connect(1, marker))

    error = "the sandbox woke without the files of prompt 5"
    assert decision == Decision(
        (
            *CONNECTED,
            AttemptEnding(Ending.DAMAGED, error),
            SandboxMoved(SandboxStatus.STOPPED, reason="damaged", error=error),
            WorkspaceLost(),
            TaskDisarmed(),
        ),
        (CompleteTask("t1", "ended"),),
    )


def test_then_the_copy_is_restored_for_the_same_prompt():
    damaged = after(waking(), Connect(1, 0))

    decision = ask(damaged, Retire(1, None))

    assert damaged.workspace == ONLY_COPY
    assert damaged.queue == (SECOND,)
    assert decision == Decision(
        (
            AttemptRetired(1, None),
            AttemptStarted(2, Boot.RESTORE),
            SandboxMoved(SandboxStatus.SPAWNING),
        ),
        (StartLife(2, life=1),),
    )


def test_a_damaged_sandbox_is_never_kept_whatever_the_workflow_says():
    damaged = after(waking(), Connect(1, 0), Launched(1, BOX, EXPIRY))

    assert after(damaged, Retire(1, BOX)).workspace == ONLY_COPY


@pytest.mark.parametrize("workspace", [UNCOPIED, replace(FILES, snapshot=replace(COPY, marker=2))])
def test_where_there_is_no_newer_copy_it_goes_on_with_what_there_is_and_says_so(
    workspace: Workspace,
):
    session = waking(workspace)

    decision = ask(session, Connect(1, 2))

    assert decision == Decision((*CONNECTED, TurnsMissed(2)))
    assert after(session, Connect(1, 2)).workspace == replace(workspace, turn=2, marker=2)


def test_a_copy_that_lacks_what_it_should_have_is_all_that_there_is():
    session = waking(ONLY_COPY)

    decision = ask(session, Connect(1, 1))

    assert decision == Decision((*CONNECTED, TurnsMissed(1)))


def test_an_old_bridge_that_leaves_no_marks_is_believed():
    decision = ask(waking(), Connect(1, marker=None))

    assert decision == Decision(
        (BridgeConnected(marks=False), SandboxMoved(SandboxStatus.CONNECTING))
    )


@pytest.mark.parametrize("boot", [Boot.FRESH, Boot.IMAGE])
def test_files_that_are_new_have_no_mark_to_miss(boot: Boot):
    session = situations.spawning(FIRST, boot=boot)

    assert ask(session, Connect(1, 0)) == Decision(CONNECTED)


def test_only_a_bridge_that_leaves_marks_is_asked_for_them_later():
    marking = after(situations.running(marks=True), finish())
    silent = after(situations.running(marks=False), finish())

    assert marking.workspace.marker == 1
    assert silent.workspace.marker == 0
    assert marking.workspace.turn == silent.workspace.turn == 1


def test_a_sandbox_that_is_gone_is_replaced_by_its_copy_in_the_same_attempt():
    session = waking()

    decision = ask(session, FilesGone(1, Boot.RESUME))

    assert decision == Decision((WorkspaceLost(), BootChosen(Boot.RESTORE)))
    assert after(session, FilesGone(1, Boot.RESUME)).workspace == ONLY_COPY


def test_a_copy_that_is_gone_too_leaves_a_fresh_start():
    session = after(waking(), FilesGone(1, Boot.RESUME))

    decision = ask(session, FilesGone(1, Boot.RESTORE))

    assert decision == Decision((SnapshotLost(), BootChosen(Boot.FRESH)))
    assert after(session, FilesGone(1, Boot.RESTORE)).workspace == Workspace()
    assert after(session, FilesGone(1, Boot.RESTORE)).queue == (SECOND,)


def test_what_is_gone_is_said_of_one_thing_and_loses_no_other():
    session = waking()

    assert ask(session, FilesGone(1, Boot.RESTORE)) == NOTHING
    assert ask(session, FilesGone(2, Boot.RESUME)) == NOTHING
    assert ask(after(session, FilesGone(1, Boot.RESUME)), FilesGone(1, Boot.RESUME)) == NOTHING


def test_files_that_work_are_not_gone():
    for session in (situations.connecting(boot=Boot.RESUME), situations.running(boot=Boot.RESUME)):
        assert ask(session, FilesGone(1, Boot.RESUME)) == NOTHING


def test_a_copy_that_was_restored_is_the_sessions_sandbox_from_its_launch_on():
    restoring = waking(ONLY_COPY)

    launched = after(restoring, Launched(1, OTHER_BOX, EXPIRY))
    failed = after(launched, LaunchFailed(1, "gateway time-out", Failure.TRANSIENT))

    assert launched.workspace == replace(ONLY_COPY, provider_id=OTHER_BOX, base="copy-3")
    assert failed.workspace == launched.workspace


def test_a_turn_that_could_not_leave_its_mark_is_not_looked_for_at_the_next_wake():
    session = replace(situations.running(marks=True), workspace=Workspace(BOX, marker=0))

    left = after(session, finish(1, marked=False))
    woken = situations.resuming(SECOND, workspace=left.workspace)

    assert (left.workspace.turn, left.workspace.marker) == (1, 0)
    assert after(session, finish(1)).workspace.marker == 1
    assert ask(woken, Connect(1, 0)) == Decision(CONNECTED)


def test_an_attempt_that_begins_with_something_else_is_not_ended_with_what_was_launched_before():
    launched = after(waking(), Launched(1, BOX, EXPIRY))

    chosen = after(launched, FilesGone(1, Boot.RESUME))

    assert chosen.attempt is not None
    assert (chosen.attempt.provider_id, chosen.attempt.expires_at) == (None, None)
    assert ask(chosen, Vanished(1, BOX)) == NOTHING


def test_an_unknown_outcome_of_a_launch_loses_nothing():
    for failure in Failure:
        workspace = after(waking(), LaunchFailed(1, "who knows", failure)).workspace
        assert replace(workspace, failed_wakes=0) == FILES


def test_a_sandbox_that_vanished_while_a_prompt_ran_is_stale_and_its_copy_is_what_is_left():
    session = replace(situations.running(SECOND), workspace=FILES)

    decision = ask(session, Vanished(1, BOX))

    error = f"{GONE}; the next one begins with the last copy of its files, or with what was pushed"
    assert decision == Decision(
        (
            AttemptEnding(Ending.STALE, error),
            SandboxMoved(SandboxStatus.STALE, reason="stale", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
            WorkspaceLost(),
        )
    )
    assert after(session, Vanished(1, BOX), Retire(1, None)).workspace == ONLY_COPY


def test_a_sandbox_that_vanished_while_it_booted_has_failed():
    decision = ask(situations.connecting(FIRST), Vanished(1, BOX))

    error = f"the boot failed in phase starting: {told(GONE, Failure.BOOT)}"
    assert decision == Decision(
        (
            AttemptEnding(Ending.FAILED, error, counted_at=build.NOW),
            SandboxMoved(SandboxStatus.FAILED, reason="failed", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
            SessionMoved(SessionStatus.FAILED),
        )
    )


def test_files_that_vanish_while_they_are_put_away_are_lost_once():
    session = situations.ended(Ending.INACTIVE, SECOND)

    lost = after(session, Vanished(1, BOX))

    assert ask(session, Vanished(1, BOX)) == Decision((WorkspaceLost(),))
    assert ask(lost, Vanished(1, BOX)) == NOTHING


def test_another_sandbox_that_vanished_is_nobodys_loss():
    assert ask(situations.running(), Vanished(1, OTHER_BOX)) == NOTHING
    assert ask(situations.running(), Vanished(2, BOX)) == NOTHING
    assert ask(situations.spawning(FIRST), Vanished(1, BOX)) == NOTHING


def test_a_read_only_turn_makes_an_images_sandbox_the_sessions():
    session = replace(situations.running(boot=Boot.IMAGE, complete=False), workspace=Workspace())

    done = after(session, finish())

    assert done.workspace == Workspace(BOX, turn=1)


def test_the_answer_of_a_provider_after_the_boot_was_over_names_the_files():
    booted = after(situations.spawning(token_hash="h"), BecomeReady(1))

    decision = ask(booted, Launched(1, BOX, EXPIRY), now=build.NOW + timedelta(seconds=1))

    assert booted.workspace == Workspace()
    assert decision == Decision((AttemptLaunched(BOX, EXPIRY),))
    assert after(booted, Launched(1, BOX, EXPIRY)).workspace == Workspace(BOX)
    assert booted.status is SessionStatus.CREATED
