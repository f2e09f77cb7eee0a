"""The rules of following a session: on a simulated clock, against a network that misbehaves."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.client.follow import AHEAD, Follow
from shared.protocol.client import Fetch, Page, Pong, Subscribe
from tests.shared.client import told
from tests.shared.client.network import MS, SECOND, START, Faults, Network, joined, subscribed


def seqs(entries: tuple[told.EntryView, ...]) -> list[int]:
    return [entry.seq for entry in entries]


def test_a_connection_begins_by_subscribing_from_the_cursor():
    follow = Follow(7)

    said = follow.opened(START)

    assert said == Subscribe(after=7)


def test_the_next_slot_is_delivered_at_once():
    follow = joined(3)

    delivered = follow.received(told.frame(4), START)

    assert seqs(delivered) == [4]
    assert follow.cursor == 4


def test_a_slot_that_was_delivered_is_not_delivered_again():
    follow = joined(3)
    follow.received(told.frame(4), START)

    again = follow.received(told.frame(4), START)

    assert again == ()


def test_slots_that_come_in_the_wrong_order_are_delivered_in_the_right_one():
    follow = joined()

    assert follow.received(told.frame(2), START) == ()
    assert follow.received(told.frame(3), START) == ()
    assert seqs(follow.received(told.frame(1), START)) == [1, 2, 3]


def test_a_hole_is_fetched_when_300_ms_have_not_filled_it():
    follow = joined()
    follow.received(told.frame(2), START)

    assert follow.due(START + 299 * MS) == ()
    assert follow.due(START + 300 * MS) == (Fetch(after=0, limit=100),)


def test_a_hole_is_not_put_off_by_what_comes_behind_it():
    follow = joined()
    follow.received(told.frame(2), START)

    follow.received(told.frame(3), START + 290 * MS)

    assert follow.due(START + 300 * MS) == (Fetch(after=0, limit=100),)


def test_a_hole_that_fills_by_itself_is_not_fetched():
    follow = joined()
    follow.received(told.frame(2), START)
    follow.received(told.frame(1), START + 200 * MS)

    assert follow.due(START + SECOND) == ()


def test_one_fetch_is_under_way_at_a_time_and_repeated_when_unanswered():
    follow = joined()
    follow.received(told.frame(2), START)
    follow.due(START + 300 * MS)

    assert follow.due(START + 5 * SECOND) == ()
    assert follow.due(START + 300 * MS + 10 * SECOND) == (Fetch(after=0, limit=100),)


def test_a_page_that_was_cut_is_followed_by_the_next_one_at_once():
    follow = joined(tail=3)
    follow.due(START + 300 * MS)

    page = Page(frames=[told.frame(1), told.frame(2)], tail=3, more=True)
    delivered = follow.received(page, START + 310 * MS)

    assert seqs(delivered) == [1, 2]
    assert follow.due(START + 310 * MS) == (Fetch(after=2, limit=100),)


def test_a_page_that_brings_nothing_is_not_asked_for_in_a_tight_loop():
    follow = joined(tail=3)
    follow.due(START + 300 * MS)

    follow.received(Page(frames=[], tail=3, more=True), START + 310 * MS)

    assert follow.due(START + 310 * MS) == ()
    assert follow.due(START + 610 * MS) == (Fetch(after=0, limit=100),)


def test_a_snapshot_that_was_cut_is_fetched_on_at_once():
    follow = Follow(0)
    follow.opened(START)

    delivered = follow.received(subscribed(frames=[told.frame(1)], tail=5, more=True), START)

    assert seqs(delivered) == [1]
    assert follow.due(START) == (Fetch(after=1, limit=100),)


def test_the_pong_tells_of_a_last_frame_that_was_lost():
    follow = joined(3)

    follow.received(Pong(tail=4), START)

    assert follow.due(START + 300 * MS) == (Fetch(after=3, limit=100),)


def test_what_is_far_ahead_of_a_hole_is_not_hoarded():
    follow = joined()

    follow.received(told.frame(AHEAD + 1), START)
    everything = [told.frame(seq) for seq in range(1, AHEAD + 1)]
    delivered = follow.received(Page(frames=everything, tail=AHEAD + 1, more=False), START)

    assert len(delivered) == AHEAD
    assert follow.due(START + 300 * MS) == (Fetch(after=AHEAD, limit=100),)


@settings(max_examples=150, deadline=None)
@given(faults=Faults.strategy(), slots=st.integers(0, 40), after=st.integers(0, 5))
def test_every_slot_is_delivered_once_and_in_order_whatever_the_network_does(
    faults: Faults, slots: int, after: int
):
    network = Network(slots=slots, faults=faults, follow=Follow(min(after, slots)))

    network.run(until=timedelta(minutes=30))

    assert network.delivered == list(range(min(after, slots) + 1, slots + 1))
    assert network.questions <= 40 + 5 * slots + 20 * faults.count
