"""The inactivity clock: a schedule only pokes, the due time is data."""

from datetime import timedelta

import pytest

from shared.domain.session.commands import Poke
from shared.domain.session.decision import NOTHING, ArmTimer, CompleteTask, Decision
from shared.domain.session.facts import AttemptEnding, IdleExtended, SandboxMoved, TaskDisarmed
from shared.domain.session.sandbox import Armed, Ending, SandboxStatus, Wait
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import SECOND, after, ask, finish, submit

DUE = build.NOW + timedelta(minutes=10)
FIVE = timedelta(minutes=5)
UNWATCHED, WATCHED = Poke(1, watched=False), Poke(1, watched=True)


def test_an_early_poke_asks_for_another_one():
    session = situations.ready(idle_due=DUE)

    decision = ask(session, UNWATCHED, now=DUE - timedelta(seconds=1))

    assert decision == Decision((), (ArmTimer(1, DUE),))


@pytest.mark.parametrize("late", [timedelta(), timedelta(hours=3)])
def test_an_idle_sandbox_is_put_away_when_it_is_due_or_later(late):
    session = situations.ready(idle_due=DUE, armed=Armed(Wait.SERVE, "t1"))

    decision = ask(session, UNWATCHED, now=DUE + late)

    assert decision == Decision(
        (
            AttemptEnding(Ending.INACTIVE),
            SandboxMoved(SandboxStatus.STOPPED, reason="inactive"),
            TaskDisarmed(),
        ),
        (CompleteTask("t1", "ended"),),
    )


def test_a_sandbox_is_put_away_once():
    session = after(situations.ready(idle_due=DUE), UNWATCHED, now=DUE)

    assert ask(session, UNWATCHED, now=DUE) == NOTHING


def test_while_somebody_watches_it_stays_five_minutes_longer():
    decision = ask(situations.ready(idle_due=DUE), WATCHED, now=DUE)

    assert decision == Decision((IdleExtended(DUE + FIVE, FIVE),), (ArmTimer(1, DUE + FIVE),))


def test_a_second_poke_for_the_same_time_extends_nothing():
    session = after(situations.ready(idle_due=DUE), WATCHED, now=DUE)

    assert ask(session, WATCHED, now=DUE) == Decision((), (ArmTimer(1, DUE + FIVE),))


def test_watching_for_an_hour_is_not_working():
    session, now = situations.ready(idle_due=DUE), DUE
    for _ in range(12):
        session, now = after(session, WATCHED, now=now), now + FIVE

    assert session.attempt is not None
    assert session.attempt.idle_extended == timedelta(hours=1)
    assert after(session, WATCHED, now=now).sandbox is SandboxStatus.STOPPED


def test_work_gives_the_watchers_a_new_hour():
    idle = situations.ready(idle_due=DUE, idle_extended=timedelta(hours=1))

    worked = after(idle, submit(), finish(2), now=DUE)

    assert worked.attempt is not None
    assert worked.attempt.idle_extended == timedelta()
    assert worked.attempt.idle_due == DUE + timedelta(minutes=10)


@pytest.mark.parametrize(
    "session",
    [
        situations.running(),
        situations.running(SECOND, idle_due=DUE),
        situations.connecting(),
        situations.ready(idle_due=None),
        situations.ended(Ending.STOPPED),
        build.session(attempts=1),
    ],
)
def test_a_poke_ends_nothing_that_is_not_idle(session):
    assert ask(session, UNWATCHED, now=DUE) == NOTHING


def test_a_poke_for_another_attempt_ends_nothing():
    assert ask(situations.ready(idle_due=DUE), Poke(2, watched=False), now=DUE) == NOTHING
