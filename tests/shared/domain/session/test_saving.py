"""Copies of the files: between two turns, never of half a boot, and never a failed prompt."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.domain.errors import Rejected
from shared.domain.session.commands import (
    Archive,
    Arm,
    Cancel,
    Command,
    GiveUp,
    Poke,
    Retire,
    SaveFailed,
    SaveFiles,
)
from shared.domain.session.decision import NOTHING, ArmTimer, CompleteTask, Decision
from shared.domain.session.facts import (
    FilesSaved,
    IdleExtended,
    IdleSince,
    PromptDispatched,
    PromptFinished,
    PromptQueued,
    SandboxMoved,
    SaveAsked,
    SaveBegan,
    SaveEnded,
    SessionMoved,
    TaskDisarmed,
    TurnLeft,
)
from shared.domain.session.sandbox import (
    Armed,
    Boot,
    Ending,
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
    SECOND,
    after,
    ask,
    finish,
    saved,
    submit,
)

ADA = build.ADA.user
SAVE = SaveFiles(ADA)
FIVE = timedelta(minutes=5)
IN_TEN_MINUTES = build.NOW + timedelta(minutes=10)
SNAPSHOTTING = SandboxMoved(SandboxStatus.SNAPSHOTTING)
READY = SandboxMoved(SandboxStatus.READY)
COPY = Snapshot("copy-1", turn=1, marker=0, at=build.NOW)
NO_COPY = SaveFailed(1, "no copy of the files was made: the provider is busy")


def worked(*, copied: timedelta | None = None, tried: timedelta | None = None) -> Session:
    """Prompt 2 runs; the files were copied, or it was tried, so long ago."""
    session = situations.running(save_began_at=build.NOW - tried if tried else None)
    copy = Snapshot("copy-0", turn=0, marker=0, at=build.NOW - copied) if copied else None
    return replace(session, workspace=Workspace(BOX, snapshot=copy))


def begins(decision: Decision) -> bool:
    return SaveBegan(build.NOW) in decision.events


def test_after_a_prompt_that_ended_well_with_nothing_behind_it_the_files_are_copied():
    session = situations.running(armed=Armed(Wait.SERVE, "t1"))

    decision = ask(session, finish())

    assert decision == Decision(
        (
            TurnLeft(1),
            PromptFinished(number=1, status=PromptStatus.COMPLETED),
            SessionMoved(SessionStatus.COMPLETED),
            IdleSince(IN_TEN_MINUTES),
            SaveBegan(build.NOW),
            SNAPSHOTTING,
            TaskDisarmed(),
        ),
        (ArmTimer(1, IN_TEN_MINUTES), CompleteTask("t1", "checkpoint")),
    )


@pytest.mark.parametrize("status", [PromptStatus.FAILED, PromptStatus.STOPPED])
def test_a_prompt_that_did_not_end_well_is_not_worth_a_copy(status: PromptStatus):
    assert not begins(ask(situations.running(), finish(status=status)))


def test_between_two_prompts_that_wait_for_each_other_nothing_is_copied():
    assert not begins(ask(situations.running(SECOND), finish()))


@pytest.mark.parametrize(
    ("ago", "copied"),
    [(FIVE - timedelta(seconds=1), False), (FIVE, True), (timedelta(days=1), True)],
)
def test_a_copy_is_made_at_most_every_five_minutes(ago: timedelta, copied: bool):
    assert begins(ask(worked(copied=ago), finish())) is copied
    assert begins(ask(worked(tried=ago), finish())) is copied
    assert begins(ask(worked(copied=timedelta(days=1), tried=ago), finish())) is copied


def test_what_the_copy_has_already_is_not_copied_again():
    session = replace(
        situations.running(), workspace=Workspace(BOX, snapshot=replace(COPY, turn=1))
    )

    assert not begins(ask(session, finish(), now=build.NOW + timedelta(hours=1)))


def test_what_was_left_out_stays_known_as_unsaved():
    session = after(worked(copied=timedelta(minutes=1)), finish())

    assert session.sandbox is SandboxStatus.READY
    assert session.workspace.has_unsaved_turns


def test_a_prompt_waits_for_the_copy():
    decision = ask(situations.saving(), submit("go on"))

    assert decision == Decision((PromptQueued(SECOND, "go on"), SessionMoved(SessionStatus.ACTIVE)))


def test_a_copy_that_was_made_is_kept_and_what_waited_goes_on():
    session = situations.saving(SECOND, idle_due=IN_TEN_MINUTES)

    decision = ask(session, saved())

    assert decision == Decision(
        (FilesSaved(COPY), SaveEnded(), READY, IdleSince(None), PromptDispatched(2))
    )


def test_a_copy_that_nobody_waited_for_leaves_the_idle_clock_as_it_was():
    session = situations.saving(idle_due=IN_TEN_MINUTES)

    decision = ask(session, saved(), now=build.NOW + timedelta(minutes=1))

    kept = replace(COPY, at=build.NOW + timedelta(minutes=1))
    assert decision == Decision((FilesSaved(kept), SaveEnded(), READY))


def test_an_idle_clock_that_does_not_go_yet_begins_after_the_copy():
    decision = ask(situations.saving(), saved())

    assert decision == Decision(
        (FilesSaved(COPY), SaveEnded(), READY, IdleSince(IN_TEN_MINUTES)),
        (ArmTimer(1, IN_TEN_MINUTES),),
    )


def test_a_copy_that_failed_is_a_warning_and_what_waited_goes_on():
    decision = ask(situations.saving(SECOND), NO_COPY)

    assert decision == Decision((SaveEnded(NO_COPY.error), READY, PromptDispatched(2)))
    assert after(situations.saving(SECOND), NO_COPY).error is None


def test_a_last_copy_that_failed_when_the_sandbox_was_put_away_is_told_once():
    session = situations.ended(Ending.INACTIVE)

    assert ask(session, NO_COPY) == Decision((SaveEnded(NO_COPY.error),))
    assert ask(after(session, NO_COPY), NO_COPY) == NOTHING


def test_somebody_may_ask_for_a_copy_of_an_idle_sandbox_however_new_the_last_one_is():
    idle = situations.ready(idle_due=IN_TEN_MINUTES)
    session = replace(idle, workspace=Workspace(BOX, 1, 0, COPY))

    assert ask(session, SAVE) == Decision((SaveBegan(build.NOW), SNAPSHOTTING))


def test_a_copy_that_is_asked_for_during_a_turn_is_made_after_it():
    session = situations.running()

    asked = after(session, SAVE)

    assert ask(session, SAVE) == Decision((SaveAsked(),))
    assert ask(asked, SAVE) == NOTHING
    assert begins(ask(asked, finish(status=PromptStatus.FAILED)))


def test_asking_while_a_copy_is_made_asks_for_nothing_more():
    assert ask(situations.saving(), SAVE) == NOTHING


@pytest.mark.parametrize("session", [situations.connecting(), situations.ready(complete=False)])
def test_half_a_boot_is_not_copied(session: Session):
    with pytest.raises(Rejected, match="the sandbox is still booting"):
        ask(session, SAVE)


@pytest.mark.parametrize("session", [build.session(), situations.ended(Ending.INACTIVE)])
def test_there_is_nothing_to_copy_where_nothing_runs(session: Session):
    with pytest.raises(Rejected, match="no sandbox is running; the files are kept as they are"):
        ask(session, SAVE)


def test_a_turn_that_only_read_before_the_boot_was_over_is_not_copied():
    session = situations.running(complete=False, boot=Boot.RESUME)

    assert not begins(ask(session, finish()))


def test_a_copy_of_a_boot_that_failed_is_never_kept():
    unsaved = Workspace(BOX, turn=1)
    failed = after(situations.resuming(SECOND, workspace=unsaved), GiveUp(1, "start.sh ended"))

    assert ask(failed, saved()) == NOTHING


@pytest.mark.parametrize("ending", [Ending.RETARGETED, Ending.DAMAGED])
def test_what_the_session_has_turned_away_from_is_never_its_copy(ending: Ending):
    assert ask(situations.ended(ending), saved()) == NOTHING


def test_a_copy_stamps_only_the_attempt_that_it_was_taken_from():
    second = after(situations.ended(Ending.INACTIVE, SECOND), Retire(1, BOX))

    assert ask(second, saved(attempt=1)) == NOTHING
    assert ask(situations.ready(), saved(attempt=2)) == NOTHING


@pytest.mark.parametrize("ending", [Ending.INACTIVE, Ending.LIFETIME, Ending.STALE])
def test_a_copy_that_comes_after_the_end_is_kept_and_makes_nothing_ready(ending: Ending):
    session = situations.ended(ending, SECOND)

    decision = ask(session, saved())

    assert decision == Decision((FilesSaved(COPY),))


def test_the_same_copy_told_twice_is_kept_once():
    assert ask(after(situations.saving(), saved()), saved()) == NOTHING


def test_an_older_copy_does_not_replace_a_newer_one():
    newer = Snapshot("copy-2", turn=2, marker=2, at=build.NOW)
    session = replace(situations.ready(), workspace=Workspace(BOX, 2, 2, newer))

    assert ask(session, saved(1)) == NOTHING


def test_a_newer_copy_of_the_same_turn_replaces_the_older_one():
    session = replace(situations.saving(), workspace=Workspace(BOX, 1, 0, COPY))

    again = after(session, saved(snapshot="copy-1b"))

    assert again.workspace.snapshot == replace(COPY, id="copy-1b")


def test_an_idle_sandbox_is_not_put_away_in_the_middle_of_a_copy():
    session = situations.saving(idle_due=build.NOW)

    decision = ask(session, Poke(1, watched=False))

    later = build.NOW + FIVE
    assert decision == Decision((IdleExtended(later, FIVE),), (ArmTimer(1, later),))


@pytest.mark.parametrize("command", [Cancel(ADA), Archive(ADA), GiveUp(1, "the harness died")])
def test_an_end_does_not_wait_for_the_copy(command: Command):
    session = after(replace(situations.saving(), status=SessionStatus.COMPLETED), command)

    assert session.attempt is not None
    assert session.attempt.ending is not None
    assert not session.attempt.saving


def test_a_workflow_that_begins_again_finds_that_a_copy_is_due():
    decision = ask(situations.saving(), Arm(1, Wait.SERVE, "t1"))

    assert decision == Decision((), (CompleteTask("t1", "checkpoint"),))
