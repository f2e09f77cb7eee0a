"""A secret is hidden wherever a text is divided, and nothing else of the text is lost."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sandbox_bridge.redaction import Redactor, Stream
from tests.sandbox_bridge.secrets import SECRETS, written

_SHAPES = (
    "ghs_" + "aZ09.-_" * 6,
    "ghp_" + "a1" * 18,
    "github_pat_" + "a_1" * 12,
    "glpat-" + "x" * 20,
    "sk-ant-" + "k-" * 20,
    "AKIA" + "A1" * 8,
    "https://user:pass@host/",
    "git://git@host/",
    "://" + "u" * 511 + "@",
)


@st.composite
def texts(draw: st.DrawFn) -> tuple[list[str], str]:
    """Secrets, and a text in which they and their beginnings stand between other things."""
    secrets = draw(st.lists(SECRETS, min_size=1, max_size=3))
    forms = [form for secret in secrets for form in written(secret)] + list(_SHAPES)
    whole = st.sampled_from(forms)
    begun = st.builds(lambda form, end: form[:end], whole, st.integers(1, 30))
    ended = st.builds(lambda form, start: form[start:], whole, st.integers(1, 30))
    pieces = st.one_of(whole, begun, ended, st.text("ab01 :/@gAK", max_size=8), st.text(max_size=5))
    return secrets, "".join(draw(st.lists(pieces, max_size=8)))


def divided(draw: st.DataObject, text: str) -> list[str]:
    cuts = draw.draw(st.lists(st.integers(0, len(text)), max_size=30))
    return [text[start:end] for start, end in pairwise(sorted({0, *cuts, len(text)}))]


def fed(redact: Redactor, pieces: list[str]) -> list[str]:
    stream = Stream(redact)
    return [*map(stream.feed, pieces), stream.flush()]


@given(texts(), st.data())
def test_in_pieces_a_text_is_what_it_is_as_a_whole(
    given: tuple[list[str], str], data: st.DataObject
):
    secrets, text = given
    redact = Redactor({}, others=secrets)

    assert "".join(fed(redact, divided(data, text))) == redact(text)


@given(texts())
def test_character_by_character_it_is_the_same(given: tuple[list[str], str]):
    secrets, text = given
    redact = Redactor({}, others=secrets)

    assert "".join(fed(redact, list(text))) == redact(text)


@given(texts(), st.data())
def test_what_has_left_has_no_secret_at_any_moment(
    given: tuple[list[str], str], data: st.DataObject
):
    secrets, text = given
    left = "".join(fed(Redactor({}, others=secrets), divided(data, text)))

    bare = left.replace("[redacted]", "\N{OBJECT REPLACEMENT CHARACTER}")
    assert not [form for secret in secrets for form in written(secret) if form in bare]


@given(texts())
def test_to_look_twice_is_to_see_the_same(given: tuple[list[str], str]):
    secrets, text = given
    redact = Redactor({}, others=secrets)

    assert redact(redact(text)) == redact(text)


@given(texts(), st.data())
def test_what_is_certain_of_a_text_stays(given: tuple[list[str], str], data: st.DataObject):
    secrets, text = given
    redact = Redactor({}, others=secrets)
    end = data.draw(st.integers(0, len(text)))

    assert redact(text).startswith(redact.so_far(text[:end]))


def test_ordinary_words_wait_for_nothing():
    stream = Stream(Redactor({"TOKEN": "xyzzy-plugh"}))

    assert stream.feed("All is well") == "All is well"
    assert stream.feed(", and xyz") == ", and "
    assert stream.feed("!") == "xyz!"


def test_a_secret_that_is_learned_is_hidden_in_what_waits_too():
    redact = Redactor({"TOKEN": "xyzzy-plugh"})
    stream = Stream(redact)
    assert stream.feed("xyzzy-") == ""

    redact.learn("zzy-another")
    assert stream.feed("another.") == "xy[redacted]."
