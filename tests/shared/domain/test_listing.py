"""Which list a session is in, and what finds it."""

from typing import Any

import pytest

from shared.domain.listing import Lifecycle, Shelf, Wanted, shelf, words_of
from shared.domain.session.state import Repository, Session, SessionId, SessionStatus
from tests import build

ALL = Lifecycle.ALL
LOCAL = Repository(url="http://127.0.0.1:4702/x7Gh", name="x7Gh", label="/home/ada/Größe")


def session(title: str = "Fix the flaky test", **fields: Any) -> Session:
    return build.session(SessionStatus.COMPLETED, title=title, prompts=1, **fields)


@pytest.mark.parametrize("status", SessionStatus)
def test_what_was_never_asked_for_anything_is_nowhere(status: SessionStatus):
    empty = build.session(status)

    assert shelf(empty) is None
    assert not Wanted(lifecycle=ALL).matches(empty)


@pytest.mark.parametrize("status", SessionStatus)
def test_everything_else_is_on_one_shelf_of_all(status: SessionStatus):
    asked = build.session(status, prompts=1)

    assert shelf(asked) in Shelf
    assert Wanted(lifecycle=ALL).matches(asked)
    opened, archived = Wanted(), Wanted(lifecycle=Lifecycle.ARCHIVED)
    assert opened.matches(asked) != archived.matches(asked)


@pytest.mark.parametrize(
    "query", ["", "flaky", "FIX test", "acme", "acme/tool flaky", "s1", "  the  "]
)
def test_words_of_a_title_of_a_repository_or_an_ids_beginning_find_it(query: str):
    assert Wanted(words=words_of(query)).matches(session())


@pytest.mark.parametrize("query", ["flakier", "fix nothing", "1", "completed"])
def test_every_word_has_to_be_there(query: str):
    assert not Wanted(words=words_of(query)).matches(session(id=SessionId("abc")))


@pytest.mark.parametrize("query", ["GRÖSSE", "/home/ada", "x7gh"])
def test_a_repository_is_found_by_what_people_call_it(query: str):
    assert Wanted(words=words_of(query)).matches(session(target=(LOCAL,)))
