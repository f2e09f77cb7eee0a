from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from sandbox_bridge.wire.reconnect import Backoff, rollover


def longest(_low: float, high: float) -> float:
    return high


def test_delays_double_up_to_half_a_minute_and_stay_there():
    backoff = Backoff(longest)

    delays = [backoff.delay().total_seconds() for _ in range(9)]

    assert delays == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]


def test_a_welcome_begins_anew():
    backoff = Backoff(longest)
    for _ in range(5):
        backoff.delay()

    backoff.reset()

    assert backoff.delay() == timedelta(seconds=0.5)


@given(st.floats(0, 1), st.integers(1, 50))
def test_a_delay_is_anything_up_to_the_ceiling(share: float, tries: int):
    backoff = Backoff(lambda low, high: low + share * (high - low))

    delays = [backoff.delay() for _ in range(tries)]

    assert all(timedelta() <= delay <= timedelta(seconds=30) for delay in delays)


@given(st.floats(0, 1))
def test_a_socket_is_left_before_its_two_hours_are_over(share: float):
    lived = rollover(lambda low, high: low + share * (high - low))

    assert timedelta(minutes=90) < lived < timedelta(minutes=115)
