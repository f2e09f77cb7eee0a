from hypothesis import given
from hypothesis import strategies as st

from sandbox_bridge.redaction import Redactor, plain, tail
from shared.protocol.events import MAX_TAIL_BYTES, MAX_TAIL_LINES


def test_values_of_secret_names_are_hidden():
    redact = Redactor({"API_TOKEN": "abcdefgh", "db_password": "hunter22", "HOME": "/home/user"})

    assert redact("abcdefgh in /home/user by hunter22") == "[redacted] in /home/user by [redacted]"


def test_short_values_are_no_secrets():
    assert Redactor({"TOKEN": "yes"})("yes, it works") == "yes, it works"


def test_the_longest_goes_first():
    redact = Redactor({"KEY": "abcdefgh", "OTHER_KEY": "abcdefgh-and-more"})

    assert redact("abcdefgh-and-more") == "[redacted]"


def test_a_user_in_an_address_is_hidden():
    assert Redactor({})("at https://x:y@host/z") == "at https://[redacted]@host/z"


def test_a_secret_of_several_lines_is_hidden_before_lines_are_cut():
    key = "-----BEGIN-----\nabc\ndef\n-----END-----"

    assert tail(f"before\n{key}\nafter", Redactor({"PRIVATE": key})) == "before\n[redacted]\nafter"


def test_colours_and_progress_are_gone():
    assert plain("\x1b[31mred\x1b[0m 1%\r 50%\r100%\r\nnext\x07") == "100%\nnext"


@given(st.text(max_size=500).map(lambda text: text * 60))
def test_a_tail_is_bounded(text: str):
    end = tail(text, Redactor({}))

    assert len(end.split("\n")) <= MAX_TAIL_LINES
    assert len(end.encode()) <= MAX_TAIL_BYTES


def test_the_end_is_what_is_kept():
    assert tail("\n".join(str(n) for n in range(1_000)), Redactor({})).split("\n") == [
        str(n) for n in range(940, 1_000)
    ]
