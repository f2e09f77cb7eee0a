"""What a session can say about itself."""

import pytest

from shared.domain.session.moves import SANDBOX_MOVES
from shared.domain.session.sandbox import Attempt, Ending, ProviderId, SandboxStatus, Workspace
from shared.domain.session.state import Running, SessionStatus
from tests import build
from tests.shared.domain.session import situations


def test_archived_and_cancelled_sessions_take_no_prompts_and_all_others_do():
    refusing = {status for status in SessionStatus if not status.accepts_prompts}

    assert refusing == {SessionStatus.ARCHIVED, SessionStatus.CANCELLED}


def test_the_running_prompt_counts_as_unfinished():
    session = situations.running(situations.SECOND, situations.THIRD)

    assert session.unfinished == 3
    assert build.session().unfinished == 0


def test_the_session_branch_is_named_after_the_session():
    assert build.session().session_branch == "outboard/s1"


def test_only_the_living_attempt_is_current():
    session = situations.ready()

    assert session.current(1) == session.attempt
    assert session.current(2) is None
    assert build.session(attempts=1).current(1) is None


def test_an_attempt_serves_from_ready_until_an_ending_is_chosen():
    assert not build.attempt(connected=True).serves
    assert build.attempt(ready=True).serves
    assert not build.attempt(ready=True, ending=Ending.INACTIVE).serves
    assert not build.attempt(ready=True, saving=True).serves


def test_a_session_is_alive_while_something_is_to_happen_without_anybody_asking():
    postponed = build.session(SessionStatus.ACTIVE, queue=(build.prompt(),), retry_at=build.NOW)
    held = build.session(SessionStatus.ACTIVE, queue=(build.prompt(),), held=True)

    assert situations.ready().is_alive
    assert postponed.is_alive
    assert not held.is_alive
    assert not build.session().is_alive


def test_a_workspace_exists_once_its_sandbox_is_known():
    assert not Workspace().exists
    assert Workspace(ProviderId("box")).exists


@pytest.mark.parametrize(
    ("ending", "shown"),
    [
        (Ending.INACTIVE, SandboxStatus.STOPPED),
        (Ending.STOPPED, SandboxStatus.STOPPED),
        (Ending.LIFETIME, SandboxStatus.STOPPED),
        (Ending.CANCELLED, SandboxStatus.STOPPED),
        (Ending.STALE, SandboxStatus.STALE),
        (Ending.FAILED, SandboxStatus.FAILED),
        (Ending.DAMAGED, SandboxStatus.STOPPED),
        (Ending.IMAGE, SandboxStatus.STOPPED),
        (Ending.RETARGETED, SandboxStatus.STOPPED),
    ],
)
def test_an_ending_is_shown_as_a_status_from_which_a_sandbox_can_start_again(
    ending: Ending, shown: SandboxStatus
):
    assert ending.sandbox is shown
    assert SandboxStatus.SPAWNING in SANDBOX_MOVES[shown]


def test_values_are_frozen():
    session = build.session(running=Running(build.prompt()), attempt=Attempt(number=1))

    with pytest.raises(AttributeError):
        session.title = "other"  # pyright: ignore[reportAttributeAccessIssue]  it is the point
