"""A workflow that is lost is begun again, and an attempt that wears out its lives is given up."""

from dataclasses import replace

import pytest

from shared.domain.session.commands import LifeEnded
from shared.domain.session.decision import NOTHING, Decision, StartLife
from shared.domain.session.facts import AttemptEnding, LifeBegunAgain, PromptFinished, SandboxMoved
from shared.domain.session.failures import Failure, told
from shared.domain.session.sandbox import MAX_LIVES, Armed, Ending, SandboxStatus, Wait
from shared.domain.session.state import PromptStatus
from tests import build
from tests.shared.domain.session import situations
from tests.shared.domain.session.situations import FIRST, SECOND, after, ask

TOKEN = Armed(Wait.SERVE, "t1")


@pytest.mark.parametrize(
    "session",
    [
        situations.spawning(FIRST),
        situations.connecting(FIRST),
        situations.running(SECOND),
        situations.ready(),
    ],
)
def test_a_lost_workflow_is_begun_again_and_nothing_else_happens(session):
    assert ask(session, LifeEnded(1, 1)) == Decision((LifeBegunAgain(2),), (StartLife(1, life=2),))


def test_nobody_waits_with_a_lost_workflows_token():
    session = after(situations.running(armed=TOKEN), LifeEnded(1, 1))

    assert session == situations.running(life=2)


def test_a_life_ends_once():
    session = after(situations.running(), LifeEnded(1, 1))

    assert ask(session, LifeEnded(1, 1)) == NOTHING
    assert ask(session, LifeEnded(1, 3)) == NOTHING


def test_the_life_of_an_attempt_that_is_over_may_end():
    assert ask(situations.running(), LifeEnded(2, 1)) == NOTHING
    assert ask(build.session(attempts=1), LifeEnded(1, 1)) == NOTHING


def test_an_attempt_that_wore_out_its_lives_is_given_up_and_put_away():
    session = situations.running(SECOND, life=MAX_LIVES, armed=TOKEN)

    decision = ask(session, LifeEnded(1, MAX_LIVES))

    error = told("the workflow of the sandbox ended 3 times", Failure.RUNTIME)
    assert decision == Decision(
        (
            AttemptEnding(Ending.STALE, error),
            SandboxMoved(SandboxStatus.STALE, reason="stale", error=error),
            PromptFinished(number=1, status=PromptStatus.FAILED, error=error),
            LifeBegunAgain(MAX_LIVES + 1),
        ),
        (StartLife(1, life=MAX_LIVES + 1),),
    )


def test_a_boot_that_wore_out_its_lives_has_failed():
    session = situations.spawning(FIRST, life=MAX_LIVES)

    given_up = after(session, LifeEnded(1, MAX_LIVES))

    assert given_up.sandbox is SandboxStatus.FAILED
    assert given_up.queue == ()


@pytest.mark.parametrize("life", [1, MAX_LIVES, 40])
def test_putting_away_is_tried_for_as_long_as_it_takes(life):
    kept = situations.running(SECOND).attempt
    assert kept is not None
    session = situations.ended(
        Ending.STALE, SECOND, attempt=replace(kept, ending=Ending.STALE, life=life)
    )

    decision = ask(session, LifeEnded(1, life))

    assert decision == Decision((LifeBegunAgain(life + 1),), (StartLife(1, life=life + 1),))
