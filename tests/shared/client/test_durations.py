"""Durations as people write them."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.client.durations import parse, unit_words


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("2h", 7_200), ("90m", 5_400), ("1h30m", 5_400), ("45s", 45), ("1h0m1s", 3_601), ("0s", 0)],
)
def test_a_duration_names_its_units(text: str, seconds: int):
    assert parse(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "2", "h", "30m1h", "1.5h", "-1h", "1 h", "٣h", "2h\n"])
def test_what_is_no_duration_is_refused(text: str):
    with pytest.raises(ValueError, match="is no duration"):
        parse(text)


@given(st.integers(0, 10**6))
def test_a_duration_is_said_as_it_is_written(seconds: int):
    duration = timedelta(seconds=seconds)

    assert parse(unit_words(duration)) == duration
