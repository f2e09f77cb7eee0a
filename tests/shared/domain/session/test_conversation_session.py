"""The session as a whole: cancel, archive, unarchive, rename."""

from dataclasses import replace

import pytest

from shared.domain.errors import Invalid, Rejected
from shared.domain.session.commands import Archive, Cancel, Choose, Rename, Unarchive
from shared.domain.session.conversation import checked_title
from shared.domain.session.decision import NOTHING, CompleteTask, Decision
from shared.domain.session.facts import (
    AttemptEnding,
    PromptFinished,
    SandboxMoved,
    SessionMoved,
    TaskDisarmed,
    TitleSet,
)
from shared.domain.session.sandbox import Armed, Ending, SandboxStatus, Wait, Workspace
from shared.domain.session.state import MAX_TITLE_CHARS, PromptStatus, SessionStatus
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import FIRST, SECOND, after, ask, submit

ADA = build.ADA.user
CANCEL, ARCHIVE, UNARCHIVE = Cancel(ADA), Archive(ADA), Unarchive(ADA)


def test_cancelling_closes_every_unfinished_prompt_and_lets_the_sandbox_go():
    session = situations.running(SECOND, armed=Armed(Wait.SERVE, "t1"))

    decision = ask(session, CANCEL)

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


@pytest.mark.parametrize("status", set(SessionStatus) - {SessionStatus.CANCELLED})
def test_every_session_without_a_sandbox_is_just_marked_cancelled(status: SessionStatus):
    assert ask(build.session(status), CANCEL) == Decision((SessionMoved(SessionStatus.CANCELLED),))


def test_cancelling_keeps_the_files():
    session = situations.running()

    assert after(session, CANCEL).workspace == session.workspace


def test_cancelled_is_terminal():
    session = after(situations.running(SECOND), CANCEL)

    assert ask(session, CANCEL) == NOTHING
    with pytest.raises(Rejected, match="takes no prompts"):
        ask(session, submit())
    with pytest.raises(Rejected, match="a cancelled session cannot be archived"):
        ask(session, ARCHIVE)
    with pytest.raises(Rejected, match="a cancelled session cannot be restored"):
        ask(session, UNARCHIVE)


def test_an_idle_session_is_archived_and_its_sandbox_put_away():
    decision = ask(situations.ready(), ARCHIVE)

    assert decision == Decision(
        (
            SessionMoved(SessionStatus.ARCHIVED),
            AttemptEnding(Ending.STOPPED),
            SandboxMoved(SandboxStatus.STOPPED, reason="stopped"),
        )
    )


def test_an_archived_session_is_archived_already():
    assert ask(build.session(SessionStatus.ARCHIVED), ARCHIVE) == NOTHING


@pytest.mark.parametrize(
    ("session", "unfinished"),
    [
        (situations.running(SECOND), 2),
        (situations.connecting(FIRST), 1),
        (situations.ended(Ending.STALE, SECOND), 1),
    ],
)
def test_work_is_not_archived(session, unfinished):
    with pytest.raises(Rejected, match=f"{unfinished} prompts are unfinished; stop or unqueue"):
        ask(session, ARCHIVE)


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (None, SessionStatus.CREATED),
        (PromptStatus.COMPLETED, SessionStatus.COMPLETED),
        (PromptStatus.FAILED, SessionStatus.FAILED),
        (PromptStatus.STOPPED, SessionStatus.COMPLETED),
    ],
)
def test_a_restored_session_is_what_its_last_run_made_it(outcome, status):
    session = build.session(SessionStatus.ARCHIVED, last_outcome=outcome)

    assert ask(session, UNARCHIVE) == Decision((SessionMoved(status),))


def test_a_session_that_is_not_archived_has_nothing_to_restore():
    assert ask(situations.running(), UNARCHIVE) == NOTHING


def test_a_restored_session_takes_prompts_while_its_sandbox_is_still_put_away():
    session = after(situations.ready(), ARCHIVE, UNARCHIVE, submit("and more"))

    assert session.status is SessionStatus.ACTIVE
    assert session.queue == (SECOND,)
    assert session.attempt is not None
    assert session.attempt.ending is Ending.STOPPED


def test_a_title_is_one_line_without_edges():
    assert ask(build.session(), Rename("  Fix \n the\tbuild ")) == Decision(
        (TitleSet("Fix the build"),)
    )
    assert checked_title(" a  b ") == "a b"


def test_renaming_to_the_same_is_nothing_new():
    assert ask(replace(build.session(), title="mine"), Rename(" mine ")) == NOTHING


def test_a_closed_session_can_be_renamed():
    for status in (SessionStatus.ARCHIVED, SessionStatus.CANCELLED):
        assert ask(build.session(status), Rename("old")) == Decision((TitleSet("old"),))


@pytest.mark.parametrize("title", ["", "  ", "\n"])
def test_a_title_needs_words(title):
    with pytest.raises(Invalid, match="title: a title needs words"):
        ask(build.session(), Rename(title))


def test_a_title_has_at_most_120_characters():
    assert after(build.session(), Rename("x" * MAX_TITLE_CHARS)).title == "x" * 120
    with pytest.raises(Invalid, match="title: 121 characters are more than 120"):
        ask(build.session(), Rename("x" * 121))


@pytest.mark.parametrize("status", [SessionStatus.ARCHIVED, SessionStatus.CANCELLED])
def test_a_session_that_takes_no_prompts_takes_no_other_target(status: SessionStatus):
    with pytest.raises(Rejected):
        ask(build.session(status), Choose(target=(build.repository("other"),)))


def test_the_work_of_a_cancelled_turn_is_kept_although_nobody_heard_that_its_boot_is_over():
    session = replace(situations.running(complete=False), workspace=Workspace())

    cancelled = after(session, Cancel(ADA))

    assert cancelled.attempt is not None
    assert cancelled.attempt.complete
    assert cancelled.workspace.provider_id == situations.BOX
