"""The contract of the session list, kept by the fake and by DynamoDB alike."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.app.ports.sessions import SessionPage
from shared.domain.errors import Invalid
from shared.domain.session.commands import Archive, Rename, Unarchive
from shared.domain.session.state import SessionId, SessionStatus, UserId
from tests import build
from tests.build import ADA, NOW
from tests.shared.adapters.dynamodb.committing import created, perform, submit
from tests.shared.adapters.dynamodb.worlds import World


def made(world: World, count: int) -> list[str]:
    """Newest first."""
    for number in range(count):
        moment = NOW + timedelta(seconds=number)
        created(world, build.session(id=SessionId(f"s{number}"), updated_at=moment))
    return [f"s{number}" for number in reversed(range(count))]


def ids(page: SessionPage) -> list[str]:
    return [session.id for session in page.sessions]


def test_there_may_be_no_sessions_at_all(world: World):
    assert world.sessions.recent(limit=10) == SessionPage((), None)


def test_the_newest_session_comes_first(world: World):
    newest_first = made(world, 20)

    page = world.sessions.recent(limit=50)

    assert ids(page) == newest_first
    assert page.next is None
    assert page.sessions[0] == world.sessions.load(SessionId("s19"))


def test_pages_follow_each_other_without_a_gap_or_a_repetition(world: World):
    newest_first = made(world, 20)

    found: list[str] = []
    page = world.sessions.recent(limit=6)
    found += ids(page)
    while page.next is not None:
        page = world.sessions.recent(limit=6, start=page.next)
        found += ids(page)

    assert found == newest_first


def test_a_full_last_page_is_known_to_be_the_last(world: World):
    made(world, 4)

    assert world.sessions.recent(limit=4).next is None


def test_sessions_of_the_same_moment_are_all_listed(world: World):
    for number in range(6):
        created(world, build.session(id=SessionId(f"s{number}")))

    first = world.sessions.recent(limit=3)
    second = world.sessions.recent(limit=3, start=first.next)

    assert ids(first) + ids(second) == ["s5", "s4", "s3", "s2", "s1", "s0"]


def test_a_prompt_moves_a_session_to_the_front_and_a_title_does_not(world: World):
    made(world, 3)
    later = NOW + timedelta(hours=1)

    perform(world, Rename("renamed"), SessionId("s0"), now=later)
    perform(world, submit(), SessionId("s1"), now=later)

    page = world.sessions.recent(limit=10)
    assert ids(page) == ["s1", "s2", "s0"]
    assert page.sessions[2].title == "renamed"


def test_archived_sessions_are_listed_only_when_asked_for(world: World):
    made(world, 3)

    perform(world, Archive(ADA.user), SessionId("s1"), now=NOW + timedelta(hours=1))

    assert ids(world.sessions.recent(limit=10)) == ["s2", "s0"]
    assert ids(world.sessions.recent(limit=10, status=SessionStatus.ARCHIVED)) == ["s1"]


def test_a_session_that_is_unarchived_is_back(world: World):
    made(world, 2)
    perform(world, Archive(ADA.user), SessionId("s0"))

    perform(world, Unarchive(ADA.user), SessionId("s0"), now=NOW + timedelta(hours=1))

    assert ids(world.sessions.recent(limit=10)) == ["s0", "s1"]


def test_the_list_can_be_of_one_status_and_of_one_owner(world: World):
    made(world, 6)
    perform(world, submit(), SessionId("s2"))
    created(world, replace(build.session(), id=SessionId("eve"), owner=UserId("eve")))
    perform(world, submit(), SessionId("eve"))

    assert set(ids(world.sessions.recent(limit=9, status=SessionStatus.ACTIVE))) == {"s2", "eve"}
    assert ids(world.sessions.recent(limit=9, owner=UserId("eve"))) == ["eve"]
    both = world.sessions.recent(limit=9, status=SessionStatus.ACTIVE, owner=ADA.user)
    assert ids(both) == ["s2"]


@pytest.mark.parametrize("start", ["", "x", "not base64!", "é", "bm90IGEgcGxhY2U"])
def test_a_start_that_was_never_given_is_refused(world: World, start: str):
    with pytest.raises(Invalid):
        world.sessions.recent(limit=10, start=start)
