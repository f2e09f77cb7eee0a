"""What a sandbox wrote must not drive a terminal."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.client.untrusted import clean, clean_line

DANGEROUS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[Hgone", "gone"),
        ("\x1b]0;a new title\x07text", "text"),
        ("\x1b]52;c;Y2xpcA==\x1b\\text", "text"),
        ("\x1bP1$r0m\x1b\\text", "text"),
        ("\x9b31mred", "red"),
        ("\x1bcreset", "reset"),
        ("bell\x07 and back\x08space", "bell and backspace"),
        ("50%\r100%\r", "100%"),
        ("dos\r\nlines\r\n", "dos\nlines\n"),
        ("a\tb", "a\tb"),
        ("abc\u202ecba", "abccba"),
        ("half \ud83d of a pair", "half \ufffd of a pair"),
        ("naïve 漢字 🙂 stays", "naïve 漢字 🙂 stays"),
    ],
)
def test_escape_sequences_and_controls_are_taken_out(written: str, shown: str):
    assert clean(written) == shown


def test_a_line_is_one_line():
    assert clean_line(" two\nlines\tand \x1b[1mmore ") == "two lines and more"


@given(st.text(st.characters(exclude_categories=[]) | st.sampled_from("\x1b[]\x07\x9b;m\r\\")))
def test_nothing_dangerous_is_ever_left(written: str):
    shown = clean(written)

    assert DANGEROUS.search(shown) is None
    shown.encode()  # a surrogate would raise


@given(st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=200))
def test_ordinary_text_stays_as_it_is(written: str):
    assert clean(written) == written
