import json
from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_bridge.redaction import Redactor, plain, tail
from shared.protocol.events import MAX_TAIL_BYTES, MAX_TAIL_LINES
from tests.sandbox_bridge.secrets import SECRETS, written


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


@given(SECRETS, st.text("ab "), st.text("ab "))
def test_every_form_of_a_secret_is_hidden(secret: str, before: str, after: str):
    redact = Redactor({"CALLED_ANYTHING": secret}, secret_names=["CALLED_ANYTHING"])

    for form in written(secret):
        assert form not in redact(f"{before}{form}{after}").replace("[redacted]", "\n\n\n")


def test_a_value_is_a_secret_only_if_its_name_says_so_or_the_server_does():
    environment = {"PLAIN": "abcdefgh", "GIT_AUTHOR_NAME": "Somebody", "AUTHORIZATION": "12345678"}

    redact = Redactor(environment, secret_names=["ELSEWHERE"])
    assert redact("abcdefgh Somebody 12345678") == "abcdefgh Somebody [redacted]"
    assert Redactor(environment, ["PLAIN"])("abcdefgh") == "[redacted]"


def test_in_the_middle_of_an_encoded_login_it_is_hidden():
    token = "a-token-of-a-repository"
    redact = Redactor({}, others=[token])

    for user in ("u", "us", "use", "user"):
        shown = redact(f"Basic {b64encode(f'{user}:{token}'.encode()).decode()}.")
        assert shown.endswith("[redacted].")


def test_each_line_of_a_key_is_hidden_but_not_its_armour():
    key = "-----BEGIN KEY-----\nMIIEvQIBADAN\nBgkqhkiG9w0B\nabc\n-----END KEY-----\n"
    redact = Redactor({"KEY": key})

    assert redact("MIIEvQIBADAN and BgkqhkiG9w0B") == "[redacted] and [redacted]"
    assert redact("-----BEGIN KEY-----\nabc") == "-----BEGIN KEY-----\nabc"
    assert redact(json.dumps({"key": key})) == '{"key": "[redacted]"}'


def test_base64_in_lines_is_hidden():
    secret = "".join(map(chr, range(33, 127)))
    text = b64encode(secret.encode()).decode()
    lines = "\n".join(text[at : at + 76] for at in range(0, len(text), 76))

    assert Redactor({}, others=[secret])(lines) == "[redacted]\n[redacted]"


def test_the_password_in_a_secret_address_is_a_secret():
    redact = Redactor({"DATABASE_DSN": "postgres://u:s3cret%21word@host/db"})

    assert redact("s3cret%21word s3cret!word") == "[redacted] [redacted]"


def test_secrets_that_overlap_are_hidden_as_one():
    redact = Redactor({}, others=["aaaabbbb", "bbbbcccc"])

    assert redact("-aaaabbbbcccc-") == "-[redacted]-"


def test_what_is_learned_is_hidden():
    redact = Redactor({})
    assert redact("brokered-token") == "brokered-token"

    redact.learn("brokered-token")
    assert redact("brokered-token") == "[redacted]"


@pytest.mark.parametrize(
    "token",
    [
        "ghs_" + "aZ09.-_" * 6,
        "ghp_" + "a1" * 18,
        "github_pat_" + "a_1" * 12,
        "glpat-" + "x" * 20,
        "sk-ant-api03-" + "k-" * 20,
        "AKIAIOSFODNN7EXAMPLE",
    ],
)
def test_what_looks_like_a_token_is_hidden_whoever_it_belongs_to(token: str):
    assert Redactor({})(f"({token})") == "([redacted])"


@pytest.mark.parametrize("text", ["ghs_short", "sk-ant-", "glpat-no", "git@host", "ssh://git@host"])
def test_what_only_begins_like_one_is_shown(text: str):
    assert Redactor({})(text) == text
