"""Decisions are values that add up."""

from shared.domain.session.decision import NOTHING, ArmTimer, Decision, StartLife
from shared.domain.session.facts import TitleSet
from tests import build

TITLE = Decision((TitleSet("one"),), (StartLife(1, life=1),))
TIMER = Decision((TitleSet("two"),), (ArmTimer(1, build.NOW),))


def test_a_sum_keeps_the_order_of_facts_and_of_work():
    assert (
        Decision((TitleSet("one"), TitleSet("two")), (StartLife(1, life=1), ArmTimer(1, build.NOW)))
        == TITLE + TIMER
    )


def test_nothing_adds_nothing():
    assert NOTHING + TITLE == TITLE == TITLE + NOTHING
