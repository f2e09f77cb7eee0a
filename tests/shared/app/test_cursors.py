"""A cursor can only be made by the server, and only means what it was made for."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.app import cursors
from shared.app.cursors import Cursor
from shared.domain.errors import Forbidden
from shared.domain.session.state import SessionId
from tests import build

SESSION = SessionId("s1")
NOW = build.NOW.replace(microsecond=123_000)


@given(st.integers(0, 10**9), st.integers(1, 10**4))
def test_what_was_issued_is_read_back(seq: int, attempt: int):
    issued = cursors.issue("key", SESSION, attempt, Cursor(seq, NOW))

    assert cursors.read("key", SESSION, attempt, issued) == Cursor(seq, NOW)


@pytest.mark.parametrize(
    ("key", "session", "attempt"),
    [("other", "s1", 1), ("key", "s2", 1), ("key", "s1", 2)],
    ids=["another key", "another session", "another attempt"],
)
def test_a_cursor_of_something_else_is_refused(key: str, session: str, attempt: int):
    issued = cursors.issue("key", SESSION, 1, Cursor(7, NOW))

    with pytest.raises(Forbidden):
        cursors.read(key, SessionId(session), attempt, issued)


@given(st.text(max_size=80))
def test_anything_made_up_is_refused(text: str):
    with pytest.raises(Forbidden):
        cursors.read("key", SESSION, 1, text)


def test_a_slot_cannot_be_moved_up():
    issued = cursors.issue("key", SESSION, 1, Cursor(7, NOW + timedelta(seconds=1)))
    moved = issued.replace(".7.", ".8.", 1)

    with pytest.raises(Forbidden):
        cursors.read("key", SESSION, 1, moved)
