"""Pieces, cuts and sizes of what an agent says."""

import json
from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox_bridge.harness import bounds

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
ANY = st.text(st.characters(exclude_categories=()), max_size=200)
WHOLE = st.text(max_size=200)


def test_a_size_is_what_the_value_takes_in_a_message():
    assert bounds.size({"a": 'ä"\n'}) == len('{"a":"ä\\"\\n"}'.encode())


@unhurried
@given(WHOLE, st.integers(6, 40))
def test_pieces_are_the_text_each_as_long_as_it_can_be(text: str, limit: int):
    pieces = list(bounds.split(text, limit))

    assert "".join(pieces) == text
    assert all(bounds.size(piece) - 2 <= limit for piece in pieces)
    for piece, after in pairwise(pieces):
        assert bounds.size(piece + after[0]) - 2 > limit


@unhurried
@given(ANY, st.integers(60, 300))
def test_a_cut_text_fits_and_keeps_both_ends(text: str, limit: int):
    cut = bounds.cut(text, limit)

    assert bounds.size(cut) - 2 <= limit
    if cut != bounds.clean(text):
        head, _, tail = cut.partition(" characters left out ")
        assert bounds.clean(text).startswith(head.rpartition("\n")[0])
        assert bounds.clean(text).endswith(tail.partition("\n")[2])


def test_a_cut_says_how_much_is_missing():
    assert bounds.cut("x" * 1_000, 100) == f"{'x' * 26}\n… 948 characters left out …\n{'x' * 26}"


@unhurried
@given(ANY)
def test_what_is_cleaned_can_be_sent(text: str):
    cleaned = bounds.clean(text)

    assert cleaned.encode().decode() == cleaned
    assert bounds.clean(cleaned) == cleaned


def test_a_character_that_came_in_two_halves_is_whole_again():
    assert bounds.clean("\ud83d\ude00 and \ud83d") == "😀 and \N{REPLACEMENT CHARACTER}"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ANY,
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(ANY, inner, max_size=8),
    max_leaves=20,
)


@unhurried
@given(st.dictionaries(ANY, JSON, max_size=8), st.integers(100, 2_000))
def test_a_shrunk_object_fits_and_is_still_one(value: dict[str, Any], limit: int):
    shrunk = bounds.shrink(value, limit)

    assert bounds.size(shrunk) <= limit
    assert json.loads(json.dumps(shrunk, ensure_ascii=False).encode()) == shrunk


def test_what_fits_is_left_as_it_is():
    value: dict[str, Any] = {"path": "a.py", "lines": [1, 2], "deep": {"er": None}}

    assert bounds.shrink(value, 1_000) == value


def test_a_long_value_loses_its_middle_and_keeps_its_name():
    shrunk = bounds.shrink({"path": "a.py", "content": "x" * 10_000}, 400)

    assert shrunk["path"] == "a.py"
    assert "characters left out" in str(shrunk["content"])


def test_what_no_shortening_makes_fit_is_replaced():
    value: dict[str, Any] = {str(index): ["x" * 60] * 50 for index in range(50)}

    assert list(bounds.shrink(value, 1_000)) == ["…"]
