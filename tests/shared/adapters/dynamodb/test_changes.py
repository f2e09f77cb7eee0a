"""The newest comparison of a session: one at a time, and never of an earlier attempt."""

from dataclasses import replace

import pytest

from shared.app.ports.changes import Compared
from shared.domain.errors import Conflict
from shared.domain.session.state import SessionId
from tests import build
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.worlds import World

SESSION = SessionId("s1")
FIRST = Compared(attempt=1, prompt=2, revision="r1", digest="d1", compared_at=build.NOW)


def test_it_is_known_as_it_was_put(world: World):
    assert world.changes.load(SESSION) is None

    world.changes.put(SESSION, FIRST, after=None)

    assert world.changes.load(SESSION) == FIRST
    assert world.changes.load(SessionId("s2")) is None


def test_a_failure_before_the_first_is_known(world: World):
    failed = Compared(attempt=1, error="it took too long")

    world.changes.put(SESSION, failed, after=None)
    assert world.changes.load(SESSION) == failed
    world.changes.put(SESSION, FIRST, after=None)

    assert world.changes.load(SESSION) == FIRST


def test_the_next_takes_the_place_of_the_one_that_was_seen(world: World):
    world.changes.put(SESSION, FIRST, after=None)
    second = replace(FIRST, attempt=2, revision="r2")

    world.changes.put(SESSION, second, after="r1")
    world.changes.put(SESSION, replace(second, prompt=3), after="r2")

    assert world.changes.load(SESSION) == replace(second, prompt=3)


@pytest.mark.parametrize(
    ("compared", "after"),
    [
        (replace(FIRST, attempt=3, revision="r3"), None),
        (replace(FIRST, attempt=3, revision="r3"), "r1"),
        (replace(FIRST, attempt=1, revision="r3"), "r2"),
    ],
)
def test_who_was_too_late_is_told(world: World, compared: Compared, after: str | None):
    there = replace(FIRST, attempt=2, revision="r2")
    world.changes.put(SESSION, there, after=None)

    with pytest.raises(Conflict):
        world.changes.put(SESSION, compared, after=after)

    assert world.changes.load(SESSION) == there


@pytest.mark.local_aws
def test_a_lost_answer_changes_nothing(dynamodb: World):
    dynamodb.faults.plan(Fault.LOST)

    dynamodb.changes.put(SESSION, FIRST, after=None)

    assert dynamodb.changes.load(SESSION) == FIRST
