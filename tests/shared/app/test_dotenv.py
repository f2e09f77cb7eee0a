"""What people paste of a `.env` file."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.app import dotenv
from shared.domain import secrets
from shared.domain.errors import Invalid

CANARY = "canary-5d2f"


def test_it_is_read_as_such_files_are_written():
    text = f"""\
# of the shop
export token={CANARY} # inline
QUOTED="two
lines"
RAW='$token \\n #'
URL=https://example.com/?a=b#c
"""
    for pasted in (text, f"\ufeff{text}"):
        assert dotenv.parse(pasted) == {
            "TOKEN": CANARY,
            "QUOTED": "two\nlines",
            "RAW": "$token \\n #",
            "URL": "https://example.com/?a=b#c",
        }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A=1\n\n  \nnot a line " + CANARY, "line 4: it is no NAME=value"),
        (f"A=1\n{CANARY}", "line 2: it is no NAME=value"),
        (f"A=1\n{CANARY}=x", "line 2: letters, digits"),
        (f'A="{CANARY}\nB=2', "line 1: it is no NAME=value"),
        ("A=1\r\nB=\r\n", "line 2: B: the value is empty"),
        (f"A={CANARY}\na={CANARY}", "line 2: A: it is given twice"),
        (f"path={CANARY}", "line 1: PATH: this name is reserved"),
        (f"A={CANARY}\0", "line 1: A: there is a NUL"),
        (f"A={CANARY}{'x' * 16 * 1024}", "line 1: A: the value has"),
        ("# nothing\n", "no NAME=value in it"),
        ("", "no NAME=value in it"),
        (f"A={CANARY}{'x' * 256 * 1024}", "characters"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_line_without_a_value(text: str, said: str):
    with pytest.raises(Invalid) as refused:
        dotenv.parse(text)

    assert refused.value.field == "text"
    assert said in str(refused.value)
    assert CANARY not in str(refused.value)


PIECES = st.one_of(
    st.sampled_from(["export ", "A", "B=", "=", "'", '"', "\\", "#", "\n", "\r", " ", "\0", "$"]),
    st.text(max_size=8),
    st.characters(categories=["Cs"]),
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_text_is_read_or_refused_as_invalid(text: str):
    found, field = _read(text)

    assert field in {None, "text"}
    assert secrets.checked(found) == found


def test_each_line_is_told_of_and_none_is_lost_for_another_that_is_wrong():
    text = f"A={CANARY}\n{CANARY}\npath={CANARY}\na={CANARY}\nB=2\n"

    found = list(dotenv.lines(text))

    assert [(line.number, line.name, line.problem and line.problem[:12]) for line in found] == [
        (1, "A", None),
        (2, None, "it is no NAM"),
        (3, "PATH", "this name is"),
        (4, "A", "it is given "),
        (5, "B", None),
    ]
    assert CANARY not in repr(found)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_a_text_is_taken_exactly_when_no_line_of_it_is_refused(text: str):
    found = list(dotenv.lines(text))

    kept, _ = _read(text)

    good = bool(found) and all(line.problem is None for line in found)
    assert kept == ({line.name: line.value for line in found} if good else {})


def _read(text: str) -> tuple[dict[str, str], str | None]:
    try:
        return dotenv.parse(text), None
    except Invalid as error:
        return {}, error.field


ALPHABET = st.sampled_from(string.ascii_letters + string.digits + "$#= \n{}é")


@given(
    st.dictionaries(
        st.from_regex(r"X[A-Z0-9_]{0,8}", fullmatch=True),
        st.text(ALPHABET, min_size=1, max_size=30),
        min_size=1,
        max_size=8,
    )
)
def test_what_is_quoted_comes_back_as_it_was(values: dict[str, str]):
    text = "\n".join(f"{name}='{value}'" for name, value in values.items())

    assert dotenv.parse(text) == values


@given(st.lists(PIECES, max_size=10).map("".join), st.sampled_from(["{}", "A={}", "{}=1", "'{}"]))
def test_no_error_says_what_may_be_a_value(around: str, place: str):
    said = ""
    try:
        dotenv.parse(f"{place.format(CANARY)}{around}")
    except Invalid as error:
        said = str(error)

    assert CANARY not in said
