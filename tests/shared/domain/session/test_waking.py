"""A sandbox that does not come up: twice, then the copy of its files, else a person's word."""

from dataclasses import replace

import pytest

from shared.domain.errors import Rejected
from shared.domain.session.commands import (
    BecomeReady,
    BeginAnew,
    CompleteBoot,
    Connect,
    FilesGone,
    GiveUp,
    Launched,
    LaunchFailed,
    Retire,
)
from shared.domain.session.decision import NOTHING, Decision, StartLife
from shared.domain.session.facts import (
    AttemptEnding,
    AttemptRetired,
    AttemptStarted,
    BootChosen,
    FilesLeft,
    PromptFinished,
    SandboxMoved,
    SnapshotLost,
    TurnsMissed,
    WakeFailed,
)
from shared.domain.session.failures import Failure
from shared.domain.session.ownership import Fate, fate_of, needs_copy
from shared.domain.session.sandbox import (
    Boot,
    Ending,
    ProviderId,
    SandboxStatus,
    Snapshot,
    Workspace,
)
from shared.domain.session.state import PromptStatus, Session
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import BOX, EXPIRY, SECOND, THIRD, after, ask

ADA = build.ADA.user
COPY = Snapshot("copy-3", turn=3, marker=3, at=build.NOW)
FILES = Workspace(BOX, turn=5, marker=5, snapshot=COPY)
UNCOPIED = replace(FILES, snapshot=None)
OTHER_BOX = ProviderId("box-2")
ANEW = "`outboard anew s1` begins with what was pushed"
SCRIPT = GiveUp(1, "start.sh ended with status 1", Failure.SCRIPT)


def waking(workspace: Workspace = FILES, **attempt: object) -> Session:
    return situations.resuming(SECOND, THIRD, workspace=workspace, **attempt)


def restoring(*told: object) -> Session:
    """It has failed twice; the copy is tried."""
    failed = after(waking(replace(FILES, failed_wakes=1)), SCRIPT, Retire(1, BOX))
    assert failed.attempt is not None
    assert (failed.attempt.boot, failed.attempt.beside) == (Boot.RESTORE, True)
    return failed


def restored() -> Session:
    return after(
        restoring(),
        Launched(2, OTHER_BOX, EXPIRY),
        Connect(2, 3),
        BecomeReady(2, complete=False),
    )


@pytest.mark.parametrize("failure", [Failure.BOOT, Failure.SCRIPT, Failure.AGENT])
def test_a_boot_that_failed_by_the_files_is_tried_once_more_and_says_what_comes_then(
    failure: Failure,
):
    session = waking(repository="tool", phase="start")

    decision = ask(session, GiveUp(1, "it fails", failure))

    error = (
        "the boot failed in phase start for tool: it fails: send the prompt again; "
        f"if it fails once more the copy of its files is tried; {ANEW}"
    )
    counted = None if failure is Failure.SCRIPT else build.NOW
    assert decision == Decision(
        (
            AttemptEnding(Ending.FAILED, error, counted),
            SandboxMoved(SandboxStatus.FAILED, reason="failed", error=error),
            WakeFailed(1),
            PromptFinished(number=2, status=PromptStatus.FAILED, error=error),
        )
    )


def test_the_next_boot_after_two_that_failed_begins_with_the_copy():
    session = after(waking(replace(FILES, failed_wakes=1)), SCRIPT)

    decision = ask(session, Retire(1, BOX))

    assert session.error is not None
    assert session.error.endswith("the next sandbox is made from the last copy of its files")
    assert decision == Decision(
        (
            AttemptRetired(1, BOX),
            AttemptStarted(2, Boot.RESTORE),
            SandboxMoved(SandboxStatus.SPAWNING),
        ),
        (StartLife(2, life=1),),
    )


@pytest.mark.parametrize("failure", [Failure.TRANSIENT, Failure.LIMITS, Failure.PERMANENT])
def test_what_the_provider_does_says_nothing_about_the_files(failure: Failure):
    session = waking(replace(FILES, failed_wakes=1))

    decided = after(session, LaunchFailed(1, "no luck", failure))

    assert decided.workspace == session.workspace


def test_a_sandbox_that_the_provider_will_never_wake_is_like_one_that_does_not_boot():
    session = waking(replace(FILES, failed_wakes=1))

    decided = after(session, LaunchFailed(1, "its image is too old", Failure.WAKE), Retire(1, BOX))

    assert decided.attempt is not None
    assert decided.attempt.boot is Boot.RESTORE


def test_without_a_copy_the_same_files_are_tried_and_the_way_out_is_named():
    session = after(waking(replace(UNCOPIED, failed_wakes=1)), SCRIPT)

    decided = after(session, Retire(1, BOX))

    assert session.error is not None
    assert session.error.endswith(
        f"send the prompt again, which finds the same files, or leave them: {ANEW}"
    )
    assert decided.attempt is not None
    assert decided.attempt.boot is Boot.RESUME


def test_a_boot_that_is_over_forgets_those_that_failed():
    session = after(waking(replace(FILES, failed_wakes=1)), Connect(1, 5), BecomeReady(1))

    assert session.workspace == FILES


def test_what_came_up_is_not_to_blame_for_what_happens_later():
    session = after(waking(), Connect(1, 5), BecomeReady(1, complete=False))

    assert after(session, GiveUp(1, "no disk")).workspace == FILES


def test_the_sandbox_of_old_stays_the_sessions_until_the_copy_has_booted():
    early = restored()

    over = after(early, CompleteBoot(2))

    assert early.workspace.provider_id == BOX
    assert over.workspace == Workspace(OTHER_BOX, 3, 3, COPY, base="copy-3")
    for session, kept in [(early, Fate.KEEP), (over, Fate.KILL)]:
        ended = replace(session, attempt=None)
        fate = fate_of(
            ended, BOX, 1, started_at=build.NOW, now=build.NOW + situations.NOW.rules.boot_budget
        )
        assert fate is (Fate.PAUSE if kept is Fate.KEEP else Fate.KILL)
        assert needs_copy(session, "copy-3", 1)


def test_that_a_copy_has_booted_may_be_known_before_which_sandbox_it_is_in():
    early = after(restoring(), Connect(2, 3), BecomeReady(2))

    late = after(early, Launched(2, OTHER_BOX, EXPIRY))

    assert early.workspace == Workspace(None, 3, 3, COPY, base="copy-3")
    assert late.workspace == Workspace(OTHER_BOX, 3, 3, COPY, base="copy-3")


def test_a_copy_is_held_to_its_own_mark_not_to_the_sandboxs():
    session = restoring()

    assert after(session, Connect(2, 3)).workspace == replace(FILES, failed_wakes=2)
    assert TurnsMissed(2) in ask(session, Connect(2, 2)).events
    older = after(session, Connect(2, 2), BecomeReady(2))
    assert (older.workspace.turn, older.workspace.marker) == (2, 2)


def test_a_turn_that_could_only_read_in_the_copy_is_none_of_the_old_sandboxs():
    session = restored()

    left = after(session, situations.finish_of(2, 3, PromptStatus.FAILED))

    assert left.workspace == session.workspace


def test_a_copy_that_does_not_boot_either_leaves_the_turn_to_the_sandbox():
    session = after(restoring(), Launched(2, OTHER_BOX, EXPIRY))

    failed = after(session, GiveUp(2, "start.sh ended with status 1", Failure.SCRIPT))
    decided = after(replace(failed, queue=(THIRD,)), Retire(2, BOX))

    assert failed.workspace == FILES
    assert failed.error is not None
    assert failed.error.endswith(ANEW)
    assert decided.attempt is not None
    assert decided.attempt.boot is Boot.RESUME


def test_a_copy_that_the_provider_has_no_time_for_now_is_tried_again():
    failed = after(restoring(), LaunchFailed(2, "busy", Failure.LIMITS), Retire(2, BOX))

    assert failed.workspace.boot is Boot.RESTORE


def test_where_the_copy_is_gone_too_it_is_the_sandbox_again():
    decision = ask(restoring(), FilesGone(2, Boot.RESTORE))

    assert decision == Decision((SnapshotLost(), BootChosen(Boot.RESUME)))
    session = after(restoring(), FilesGone(2, Boot.RESTORE))
    assert session.attempt is not None
    assert not session.attempt.beside


def test_files_that_are_left_stay_the_sessions_until_another_sandbox_has_booted():
    asleep = build.session(workspace=FILES, attempts=1, prompts=1)

    left = after(asleep, BeginAnew(ADA))
    begun = after(left, situations.submit(), Launched(2, OTHER_BOX, EXPIRY))
    booted = after(begun, Connect(2, 0), BecomeReady(2))

    assert ask(asleep, BeginAnew(ADA)) == Decision((FilesLeft(ADA),))
    assert ask(left, BeginAnew(ADA)) == NOTHING
    assert begun.attempt is not None
    assert (begun.attempt.boot, begun.attempt.beside) == (Boot.FRESH, True)
    assert begun.workspace == replace(FILES, left=True)
    assert booted.workspace == Workspace(OTHER_BOX)


def test_of_files_of_which_only_a_copy_is_there_nothing_is_expected_after_they_were_left():
    only_copy = Workspace(None, 3, 3, COPY)
    left = after(build.session(workspace=only_copy, attempts=1), BeginAnew(ADA))

    booted = after(
        left, situations.submit(), Launched(2, OTHER_BOX, EXPIRY), Connect(2, 0), BecomeReady(2)
    )

    assert booted.workspace == Workspace(OTHER_BOX)


def test_a_new_beginning_that_fails_is_begun_again():
    left = after(build.session(workspace=FILES, attempts=1), BeginAnew(ADA), situations.submit())

    failed = after(left, LaunchFailed(2, "no luck"), Retire(2, BOX))

    assert failed.workspace == replace(FILES, left=True)


@pytest.mark.parametrize(
    ("session", "sentence"),
    [
        (situations.running(), "it boots or runs"),
        (build.session(), "there are no files to leave"),
        (after(build.session(), situations.submit()), "boots or runs"),
    ],
    ids=["works", "has none", "boots"],
)
def test_files_are_left_only_where_there_are_some_and_nobody_works_on_them(
    session: Session, sentence: str
):
    with pytest.raises(Rejected, match=sentence.removeprefix("it ")):
        ask(session, BeginAnew(ADA))
