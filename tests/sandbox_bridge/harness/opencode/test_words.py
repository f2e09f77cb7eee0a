"""A growing text in pieces that fit into an event each."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox_bridge.harness.opencode.words import Words
from sandbox_bridge.redaction import Redactor
from shared.protocol.events import Text, TextDelta
from tests.sandbox_bridge.harness.opencode.story import View

unhurried = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
# Long enough for several pieces, with characters of every width.
LONG = st.lists(st.sampled_from(["word ", "ä", "\n", "😀", '"', "\x01"]), max_size=30).map(
    lambda pieces: [piece * 900 for piece in pieces]
)

NOTHING = Redactor({})


@unhurried
@given(LONG)
def test_the_pieces_are_the_text_whether_they_grew_or_came_whole(deltas: list[str]):
    grown, whole = Words(1, "p", NOTHING), Words(1, "p", NOTHING)
    text = "".join(deltas)

    growing = [said for delta in deltas for said in grown.grow(delta)]
    seen = View([*growing, *grown.finish(text)])

    assert seen == View(whole.finish(text))
    assert "".join(seen.texts.values()) == text


def test_a_whole_text_is_said_once():
    words = Words(1, "p", NOTHING)

    first, again = list(words.finish("whole")), list(words.finish("other"))

    assert first == [Text(prompt=1, part="p", text="whole", final=True)]
    assert again == []
    assert list(words.grow("more")) == []


def test_a_text_that_turns_out_different_is_said_anew():
    words = Words(1, "p", NOTHING)
    list(words.grow("helo"))

    assert list(words.finish("hello")) == [Text(prompt=1, part="p", text="hello", final=True)]


def test_every_piece_of_a_long_text_that_turns_out_different_is_said_anew():
    words = Words(1, "p", NOTHING)
    list(words.grow("x" * 20_000))

    said = list(words.finish("y" * 20_000))

    assert [(event.part, event.text) for event in said] == [
        ("p", "y" * 14_000),
        ("p.1", "y" * 6_000),
    ]


def test_an_empty_text_is_not_worth_an_event():
    assert list(Words(1, "p", NOTHING).finish("")) == []
    assert list(Words(1, "p", NOTHING).retract()) == []


def test_a_character_in_two_deltas_is_one():
    words = Words(1, "p", NOTHING)

    said = [event for half in ("a\ud83d", "\ude00b") for event in words.grow(half)]

    assert said == [
        TextDelta(prompt=1, part="p", delta="a"),
        TextDelta(prompt=1, part="p", delta="😀b"),
    ]


def test_a_long_text_is_ended_as_what_it_was():
    words = Words(1, "p", NOTHING)
    grown = list(words.grow("x" * 20_000))

    ended = list(words.end())

    assert [(type(said), said.part) for said in grown] == [(Text, "p"), (TextDelta, "p.1")]
    assert [(said.part, len(said.text)) for said in ended] == [("p.1", 6_000)]
