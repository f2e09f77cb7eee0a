"""The contract of `Timeline`, kept by the fake and by DynamoDB alike."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from shared.app.ports.timeline import Appended
from shared.domain.errors import Contended, Unavailable
from shared.domain.session.state import SessionId
from shared.domain.timeline import Entry, Frame
from tests.build import NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import insist
from tests.shared.adapters.dynamodb.worlds import World

S = SessionId("s1")


def append(world: World, name: str, *, after: int) -> Appended:
    return world.timeline.append(S, Frame(name, ({"type": "x"},), 1), after=after, now=NOW)


def filled(world: World, *names: str) -> World:
    for seq, name in enumerate(names):
        append(world, name, after=seq)
    return world


def slots(entries: Sequence[Entry]) -> list[tuple[int, str]]:
    return [(entry.seq, entry.frame.id) for entry in entries]


def test_frames_stand_in_the_order_of_their_coming(world: World):
    filled(world, "a", "b", "c")

    assert slots(world.timeline.after(S, 0, limit=10)) == [(1, "a"), (2, "b"), (3, "c")]


def test_a_frame_is_read_as_it_was_stored(world: World):
    events = ({"type": "text", "text": "grüße 🎈 \ud800", "n": [1, 2.5, None, {"deep": True}]}, {})
    frame = Frame("f", events, attempt=7)
    now = NOW + timedelta(microseconds=123_456)

    appended = world.timeline.append(S, frame, after=0, now=now)

    expected = Entry(1, NOW + timedelta(milliseconds=123), frame)
    assert appended == Appended(expected, already=False)
    assert world.timeline.after(S, 0, limit=1) == [expected]


def test_what_the_server_says_belongs_to_no_attempt(world: World):
    world.timeline.append(S, Frame("f", ({"type": "x"},)), after=0, now=NOW)

    assert world.timeline.after(S, 0, limit=1)[0].frame.attempt is None


def test_a_frame_that_is_sent_again_stays_where_it_was(world: World):
    filled(world, "a", "b", "c")

    again = append(world, "b", after=1)

    assert (again.entry.seq, again.already) == (2, True)
    assert len(world.timeline.after(S, 0, limit=10)) == 3


def test_a_frame_that_others_came_before_goes_to_the_end(world: World):
    filled(world, "a", "b", "c")

    appended = append(world, "late", after=1)

    assert (appended.entry.seq, appended.already) == (4, False)


def test_a_frame_that_went_to_the_end_is_found_there_when_it_is_sent_again(world: World):
    filled(world, "a", "b", "c")
    append(world, "late", after=1)
    append(world, "d", after=4)

    again = append(world, "late", after=1)

    assert (again.entry.seq, again.already) == (4, True)


def test_two_sessions_do_not_share_a_log(world: World):
    filled(world, "a")

    world.timeline.append(SessionId("s2"), Frame("a", ({"type": "x"},)), after=0, now=NOW)

    assert slots(world.timeline.after(SessionId("s2"), 0, limit=10)) == [(1, "a")]


def test_a_lost_answer_does_not_store_a_frame_twice(world: World):
    filled(world, "a")
    world.faults.plan(Fault.LOST)

    insist(lambda: append(world, "b", after=1))

    assert slots(world.timeline.after(S, 0, limit=10)) == [(1, "a"), (2, "b")]


def test_somebody_who_comes_between_reading_and_writing_is_not_overwritten(world: World):
    filled(world, "a", "b")
    world.faults.plan(
        lambda: append(world, "c", after=2),  # before the first try
        None,
        lambda: append(world, "d", after=3),  # between looking for the tail and the second try
    )

    appended = append(world, "slow", after=2)

    assert appended.entry.seq == 5
    log = world.timeline.after(S, 0, limit=10)
    assert slots(log) == [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "slow")]


def test_a_duplicate_that_comes_between_is_found(world: World):
    filled(world, "a", "b")
    world.faults.plan(None, lambda: append(world, "twin", after=1))

    first = append(world, "twin", after=1)

    assert (first.entry.seq, first.already) == (3, True)
    assert len(world.timeline.after(S, 0, limit=10)) == 3


def test_the_range_behind_a_slot_is_cut_at_the_limit(world: World):
    filled(world, *"abcde")

    assert slots(world.timeline.after(S, 1, limit=2)) == [(2, "b"), (3, "c")]
    assert slots(world.timeline.after(S, 5, limit=2)) == []


def test_the_page_before_a_slot_ends_right_below_it(world: World):
    filled(world, *"abcde")

    assert slots(world.timeline.before(S, 4, limit=2)) == [(2, "b"), (3, "c")]
    assert slots(world.timeline.before(S, 2, limit=2)) == [(1, "a")]
    assert slots(world.timeline.before(S, 1, limit=2)) == []


def test_the_newest_page_ends_with_the_tail(world: World):
    filled(world, *"abcde")

    assert slots(world.timeline.before(S, None, limit=2)) == [(4, "d"), (5, "e")]


def test_order_outlives_the_first_digit(world: World):
    filled(world, *(f"f{seq}" for seq in range(1, 13)))

    assert [seq for seq, _ in slots(world.timeline.after(S, 8, limit=10))] == [9, 10, 11, 12]


def test_a_database_that_never_answers_is_unavailable(world: World):
    world.faults.plan(*[Fault.DROPPED] * 10)

    with pytest.raises(Unavailable):
        append(world, "a", after=0)


def test_conflicts_without_an_end_are_said_to_be_that(world: World):
    world.faults.plan(*[Fault.CONFLICT] * 10)

    with pytest.raises(Contended):
        append(world, "a", after=0)
