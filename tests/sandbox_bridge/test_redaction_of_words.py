"""What programs say to nobody in particular: no secret in it, however it is cut into pieces."""

import io

from hypothesis import given
from hypothesis import strategies as st

from sandbox_bridge.redaction import LastWords, Redactor, Speech
from tests.sandbox_bridge.secrets import SECRETS, written

SECRET = "correct-horse-battery-staple"
CUTS = st.lists(st.integers(0, 400), max_size=6).map(sorted)


def pieces[T: (str, bytes)](text: T, cuts: list[int]) -> list[T]:
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


@given(
    SECRETS.flatmap(lambda secret: st.tuples(st.just(secret), st.sampled_from(written(secret)))),
    CUTS,
)
def test_a_stream_says_nothing_that_it_knows_whatever_the_pieces(
    secret: tuple[str, str], cuts: list[int]
):
    known, form = secret
    redact = Redactor({}, others=[known])
    under = io.StringIO(newline="")
    speech = Speech(under, redact)

    for piece in pieces(f"of {form} it is", cuts):
        assert speech.write(piece) == len(piece)
        speech.flush()
    speech.end()

    assert under.getvalue() == "of [redacted] it is"


def test_a_stream_hides_what_was_learnt_after_it_was_made():
    under = io.StringIO()
    redact = Redactor({})
    speech = Speech(under, redact)

    redact.learn(SECRET)
    print("said", SECRET, file=speech)
    speech.end()

    assert under.getvalue() == "said [redacted]\n"


@given(SECRETS, CUTS, st.integers(1, 60))
def test_of_last_words_nothing_is_cut_before_it_was_hidden(secret: str, cuts: list[int], most: int):
    redact = Redactor({}, others=[secret])
    text = f"before {secret} between {secret} after"
    words = LastWords(redact, most)

    for piece in pieces(text.encode(errors="replace"), cuts):
        words.hear(piece)

    assert words.end() == redact(text.encode(errors="replace").decode())[-most:]


def test_last_words_that_are_no_text_are_shown_as_far_as_they_go():
    words = LastWords(Redactor({}), 100)

    words.hear(b"\xff caf\xc3")
    words.hear(b"\xa9")

    assert words.end() == "\ufffd café"
