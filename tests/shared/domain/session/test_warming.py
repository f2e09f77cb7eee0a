"""A sandbox that is wanted before anything is asked of it, and one that is wanted no more."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.domain.errors import Rejected
from shared.domain.sandbox_settings import SandboxSettings
from shared.domain.session.commands import (
    Archive,
    BecomeReady,
    Cancel,
    Choose,
    Command,
    Connect,
    GiveUp,
    Launched,
    Launching,
    Retire,
    UseImage,
    Warm,
)
from shared.domain.session.decision import NOTHING, ArmTimer, Decision, StartLife
from shared.domain.session.facts import (
    AttemptEnding,
    AttemptRetired,
    AttemptStarted,
    BootOver,
    BridgeConnected,
    BridgeReady,
    IdleSince,
    PromptQueued,
    SandboxMoved,
    SessionMoved,
    TargetChosen,
    TitleSet,
    WarmthWanted,
)
from shared.domain.session.failures import Failure
from shared.domain.session.sandbox import Boot, Ending, SandboxStatus, Snapshot, Workspace
from shared.domain.session.state import EnvironmentId, Provenance, Session, SessionStatus
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import BOX, EXPIRY, FIRST, after, ask, submit

ADA = build.ADA.user
OTHER = (build.repository("other"),)
OTHER_TARGET = Choose(target=OTHER)
CHOSEN = TargetChosen(OTHER, SandboxSettings(), "demo/scripted", None)
WARMING = SandboxMoved(SandboxStatus.WARMING)
IN_TEN_MINUTES = build.NOW + timedelta(minutes=10)


def warming() -> Session:
    return after(build.session(), Warm())


def warm() -> Session:
    """It stands ready, and nothing was asked of it."""
    return after(warming(), Launching(1, "h", "k"), Launched(1, BOX, EXPIRY), BecomeReady(1))


def test_typing_starts_a_sandbox():
    decision = ask(build.session(), Warm())

    assert decision == Decision((AttemptStarted(1, Boot.FRESH), WARMING), (StartLife(1, life=1),))
    assert after(build.session(), Warm()).status is SessionStatus.CREATED


def test_typing_wakes_the_files_of_a_session_that_is_put_away():
    session = build.session(
        SessionStatus.COMPLETED, SandboxStatus.STOPPED, attempts=1, workspace=Workspace(BOX, 1)
    )

    assert ask(session, Warm()).events == (AttemptStarted(2, Boot.RESUME), WARMING)


@pytest.mark.parametrize(
    "session",
    [
        warming(),
        warm(),
        situations.running(),
        situations.ended(Ending.INACTIVE),
        build.session(SessionStatus.ARCHIVED),
        build.session(SessionStatus.CANCELLED),
    ],
)
def test_there_is_nothing_to_warm_where_something_runs_or_nothing_may(session: Session):
    assert ask(session, Warm()) == NOTHING


def test_a_prompt_waits_for_the_sandbox_that_warms_up():
    decision = ask(warming(), submit("go"))

    assert decision == Decision(
        (
            PromptQueued(FIRST, "go"),
            SessionMoved(SessionStatus.ACTIVE),
            TitleSet("go"),
        )
    )


def test_a_warm_sandbox_that_nobody_asks_anything_idles():
    session = after(warming(), Launching(1, "h", "k"), Launched(1, BOX, EXPIRY))

    decision = ask(session, BecomeReady(1))

    assert decision == Decision(
        (
            BridgeConnected(marks=False),
            SandboxMoved(SandboxStatus.CONNECTING),
            BridgeReady(),
            BootOver(),
            SandboxMoved(SandboxStatus.READY),
            IdleSince(IN_TEN_MINUTES),
        ),
        (ArmTimer(1, IN_TEN_MINUTES),),
    )


def test_a_warm_up_that_fails_costs_nobody_a_prompt():
    failed = after(warming(), GiveUp(1, "no disk"))

    assert failed.sandbox is SandboxStatus.FAILED
    assert failed.status is SessionStatus.CREATED
    assert ask(failed, Retire(1, None)) == Decision((AttemptRetired(1, None),))


def test_another_target_before_anything_is_just_another_target():
    assert ask(build.session(), OTHER_TARGET) == Decision((CHOSEN,))


@pytest.mark.parametrize("session", [warming(), warm()])
def test_another_target_lets_the_sandbox_of_the_old_one_go(session: Session):
    decision = ask(session, OTHER_TARGET)

    assert decision == Decision(
        (
            AttemptEnding(Ending.RETARGETED),
            SandboxMoved(SandboxStatus.STOPPED, reason="retargeted"),
            CHOSEN,
            WarmthWanted(),
        )
    )
    assert after(session, OTHER_TARGET).workspace == Workspace()


def test_and_a_new_one_warms_up_once_it_is_gone():
    session = after(warm(), OTHER_TARGET)

    decision = ask(session, Retire(1, BOX))

    assert decision == Decision(
        (AttemptRetired(1, None), AttemptStarted(2, Boot.FRESH), WARMING),
        (StartLife(2, life=1),),
    )
    assert not after(session, Retire(1, BOX)).warm


def test_unless_too_much_has_failed_just_now():
    failures = (build.NOW, build.NOW, build.NOW)
    session = replace(after(warming(), OTHER_TARGET), failures=failures)

    assert ask(session, Retire(1, None)) == Decision((AttemptRetired(1, None),))


def test_a_prompt_that_came_meanwhile_gets_the_new_target():
    session = after(warm(), OTHER_TARGET, submit())

    decision = ask(session, Retire(1, BOX))

    assert decision == Decision(
        (
            AttemptRetired(1, None),
            AttemptStarted(2, Boot.FRESH),
            SandboxMoved(SandboxStatus.SPAWNING),
        ),
        (StartLife(2, life=1),),
    )
    assert session.target == OTHER


def test_the_files_of_the_old_target_are_nobodys_whatever_comes_late():
    session = after(warming(), Launching(1, "h", "k"), OTHER_TARGET)

    late = after(session, Launched(1, BOX, EXPIRY), situations.saved(), Retire(1, BOX))

    assert late.workspace == Workspace()


def test_a_sandbox_that_is_being_put_away_already_is_let_go_as_well():
    failed = after(warming(), GiveUp(1, "start.sh", Failure.SCRIPT))

    decision = ask(failed, OTHER_TARGET)

    assert decision == Decision((AttemptEnding(Ending.RETARGETED), CHOSEN, WarmthWanted()))


def test_choosing_twice_is_choosing_the_last():
    third = (build.repository("third"),)

    session = after(warm(), OTHER_TARGET, Choose(target=third))

    assert session.target == third
    assert session.sandbox is SandboxStatus.STOPPED
    assert ask(session, Choose(target=third)) == NOTHING


def test_another_model_is_another_choice():
    chosen = after(warm(), Choose(model="large", effort="high"))

    assert (chosen.model, chosen.effort) == ("large", "high")
    assert chosen.sandbox is SandboxStatus.STOPPED
    assert chosen.warm


def test_another_target_has_the_environment_it_comes_from_or_none():
    shop = Provenance(EnvironmentId("env_shop"), "Shop")

    from_shop = after(warm(), Choose(target=OTHER, environment=shop))

    assert from_shop.environment == shop
    assert after(from_shop, Choose(model="large", effort="high")).environment == shop
    assert after(from_shop, OTHER_TARGET).environment is None


def test_the_same_choice_is_nothing_new():
    session = warm()

    assert ask(session, Choose()) == NOTHING
    assert ask(session, Choose(target=session.target, model=session.model)) == NOTHING


def test_once_work_has_begun_the_choice_is_made():
    with pytest.raises(Rejected, match="work has begun here"):
        ask(after(warm(), submit()), OTHER_TARGET)


@pytest.mark.parametrize("status", [SessionStatus.ARCHIVED, SessionStatus.CANCELLED])
def test_a_closed_session_takes_no_other_target(status: SessionStatus):
    with pytest.raises(Rejected, match=f"a session that is {status} takes no other target"):
        ask(build.session(status), OTHER_TARGET)


@pytest.mark.parametrize("command", [Cancel(ADA), Archive(ADA)])
def test_a_closed_session_warms_nothing_up(command: Command):
    session = after(warm(), OTHER_TARGET, command)

    assert ask(session, Retire(1, None)) == Decision((AttemptRetired(1, None),))


@pytest.mark.parametrize(
    "session",
    [
        after(warming(), UseImage(1, "image-1"), GiveUp(1, "no disk")),
        after(
            build.session(workspace=Workspace(BOX, 3, 3, Snapshot("copy-2", 2, 2, build.NOW))),
            Warm(),
            Connect(1, 1),
        ),
    ],
    ids=["image", "damaged"],
)
def test_a_warm_up_whose_image_or_files_were_bad_is_begun_again_with_others(session: Session):
    again = after(session, Retire(1, None))

    assert session.attempt is not None
    assert session.attempt.ending in {Ending.IMAGE, Ending.DAMAGED}
    assert again.attempt is not None
    assert again.attempt.boot in {Boot.FRESH, Boot.RESTORE}
    assert (again.sandbox, again.warm) == (SandboxStatus.WARMING, False)
