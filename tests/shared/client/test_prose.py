"""The agent's words: streamed, whole, once."""

from hypothesis import given
from hypothesis import strategies as st

from shared.client.lines import Line
from shared.client.prose import Prose, end_line, more, whole


def texts(lines: tuple[Line, ...]) -> list[str]:
    return [line.text for line in lines]


def test_a_line_is_said_when_it_ends():
    prose, first = more(Prose(), "p", "one\ntw")
    prose, second = more(prose, "p", "o\n")

    assert texts(first) == ["one"]
    assert texts(second) == ["two"]
    assert prose.open == ""


def test_the_final_text_does_not_repeat_what_was_streamed():
    prose, _ = more(Prose(), "p", "one\ntwo")

    prose, lines = whole(prose, "p", "one\ntwo", final=True)

    assert texts(lines) == ["two"]
    assert texts(whole(prose, "p", "one\ntwo", final=True)[1]) == []


def test_the_final_text_adds_what_the_stream_lacked():
    prose, _ = more(Prose(), "p", "one\n")

    _, lines = whole(prose, "p", "one\ntwo", final=True)

    assert texts(lines) == ["two"]


def test_a_growing_text_is_said_by_what_it_grew():
    prose, first = whole(Prose(), "p", "one\nt", final=False)
    _, second = whole(prose, "p", "one\ntwo\nthree", final=True)

    assert texts(first) == ["one"]
    assert texts(second) == ["two", "three"]


def test_who_joined_in_the_middle_is_not_told_the_whole_again():
    prose, _ = more(Prose(), "p", "and the end\n")

    assert texts(whole(prose, "p", "The beginning and the end", final=True)[1]) == []


def test_a_text_without_a_stream_is_said_whole_even_after_blank_deltas():
    prose, _ = more(Prose(), "p", "\n")

    assert texts(whole(prose, "p", "words", final=True)[1]) == ["words"]


def test_a_text_that_replaces_what_was_said_is_said_anew():
    prose, _ = more(Prose(), "p", "a plan\nthat")

    _, lines = whole(prose, "p", "another plan", final=True)

    assert texts(lines) == ["that", "another plan"]


def test_another_part_begins_on_a_line_of_its_own():
    prose, _ = more(Prose(), "p", "first")

    _, lines = more(prose, "q", "second\n")

    assert texts(lines) == ["first", "second"]


def test_on_a_terminal_a_full_row_is_said_before_its_line_ends():
    prose, lines = more(Prose(width=10), "p", "one two three fo")

    assert texts(lines) == ["one two"]
    assert prose.open == "three fo"


def test_wide_characters_fill_two_cells():
    prose, lines = more(Prose(width=6), "p", "漢字 漢字")

    assert texts(lines) == ["漢字"]
    assert prose.open == "漢字"


def test_an_escape_sequence_that_was_cut_in_two_is_still_taken_out():
    prose, _ = more(Prose(), "p", "\x1b[3")

    _, lines = more(prose, "p", "1mred\n")

    assert texts(lines) == ["red"]


@given(
    st.lists(st.text(st.sampled_from("ab \n"), max_size=8), max_size=12),
    st.sampled_from([None, 4, 10]),
)
def test_however_it_is_cut_into_deltas_the_same_words_come_out(
    deltas: list[str], width: int | None
):
    said: list[str] = []
    prose = Prose(width=width)
    for delta in deltas:
        prose, lines = more(prose, "p", delta)
        said += texts(lines)
    prose, lines = whole(prose, "p", "".join(deltas), final=True)
    said += texts((*lines, *end_line(prose)[1]))

    assert " ".join(said).split() == "".join(deltas).split()
