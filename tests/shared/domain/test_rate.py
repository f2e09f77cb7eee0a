"""A rate is kept in every window of time, whatever the callers' clocks say."""

from collections.abc import Iterable
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.rate import Rate
from tests.build import NOW

MOMENTS = st.integers(0, 10_000).map(lambda ticks: NOW + timedelta(milliseconds=ticks))
RATES = st.builds(
    Rate,
    every=st.integers(1, 2_000).map(lambda ticks: timedelta(milliseconds=ticks)),
    burst=st.integers(1, 5),
)


def _all_of(rate: Rate, moments: Iterable[datetime]) -> list[timedelta]:
    """When each goes who asked at these moments, in this order."""
    full: datetime | None = None
    going: list[timedelta] = []
    for now in moments:
        going.append(rate.at(full, now) - NOW)
        full = rate.after(full, now)
    return going


@given(RATES, st.lists(MOMENTS, max_size=30))
def test_no_window_has_more_than_the_burst_and_one_for_each_interval(
    rate: Rate, moments: list[datetime]
):
    going = sorted(_all_of(rate, moments))

    for first in range(len(going)):
        for last in range(first, len(going)):
            window = going[last] - going[first]
            assert last - first + 1 <= rate.burst + window // rate.every


@given(RATES, st.lists(MOMENTS, max_size=30))
def test_nobody_goes_before_asking(rate: Rate, moments: list[datetime]):
    assert all(at >= now - NOW for at, now in zip(_all_of(rate, moments), moments, strict=True))


@given(RATES, st.integers(1, 20))
def test_of_many_at_once_a_burst_goes_at_once_and_the_rest_evenly(rate: Rate, many: int):
    expected = [max(0, place - rate.burst + 1) * rate.every for place in range(many)]

    assert _all_of(rate, [NOW] * many) == expected


@given(RATES, MOMENTS)
def test_after_rest_a_whole_burst_goes_at_once(rate: Rate, begin: datetime):
    rested = begin + rate.burst * rate.every

    going = _all_of(rate, [*[begin] * rate.burst, *[rested] * rate.burst])

    assert going[rate.burst :] == [rested - NOW] * rate.burst


@pytest.mark.parametrize(("every", "burst"), [(timedelta(), 1), (timedelta(seconds=1), 0)])
def test_a_rate_lets_something_go_and_not_everything(every: timedelta, burst: int):
    with pytest.raises(ValueError, match="nothing"):
        Rate(every, burst)
