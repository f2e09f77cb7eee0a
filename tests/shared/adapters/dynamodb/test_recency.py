"""The contract of the session list, kept by the fake and by DynamoDB alike."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from shared.app.ports.sessions import SessionPage
from shared.domain.errors import Invalid
from shared.domain.listing import Lifecycle, Wanted
from shared.domain.session.commands import Archive, Rename, Unarchive
from shared.domain.session.state import PromptStatus, Session, SessionId, SessionStatus, UserId
from tests import build
from tests.build import ADA, NOW
from tests.shared.adapters.dynamodb.committing import created, perform, submit
from tests.shared.adapters.dynamodb.worlds import World

ARCHIVED = Wanted(lifecycle=Lifecycle.ARCHIVED)


def asked(session_id: SessionId, **fields: Any) -> Session:
    completed: dict[str, Any] = {
        "prompts": 1,
        "last_outcome": PromptStatus.COMPLETED,
        "finished": 1,
    }
    return build.session(SessionStatus.COMPLETED, id=session_id, **completed | fields)


def made(world: World, count: int) -> list[str]:
    """Newest first."""
    for number in range(count):
        moment = NOW + timedelta(seconds=number)
        created(world, asked(SessionId(f"s{number}"), updated_at=moment))
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
        created(world, asked(SessionId(f"s{number}")))

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
    assert ids(world.sessions.recent(limit=10, wanted=ARCHIVED)) == ["s1"]


def test_a_session_that_is_unarchived_is_back(world: World):
    made(world, 2)
    perform(world, Archive(ADA.user), SessionId("s0"))

    perform(world, Unarchive(ADA.user), SessionId("s0"), now=NOW + timedelta(hours=1))

    assert ids(world.sessions.recent(limit=10)) == ["s0", "s1"]


def test_the_list_can_be_of_one_status_and_of_one_owner(world: World):
    made(world, 6)
    perform(world, submit(), SessionId("s2"))
    created(world, asked(SessionId("eve"), owner=UserId("eve")))
    perform(world, submit(), SessionId("eve"))

    active, eves = Wanted(status=SessionStatus.ACTIVE), Wanted(owner=UserId("eve"))
    assert set(ids(world.sessions.recent(limit=9, wanted=active))) == {"s2", "eve"}
    assert ids(world.sessions.recent(limit=9, wanted=eves)) == ["eve"]
    both = replace(active, owner=ADA.user)
    assert ids(world.sessions.recent(limit=9, wanted=both)) == ["s2"]


def test_everything_is_listed_for_whoever_asks_for_all(world: World):
    made(world, 3)
    perform(world, Archive(ADA.user), SessionId("s1"), now=NOW + timedelta(hours=1))
    perform(world, submit(), SessionId("s0"), now=NOW + timedelta(hours=2))

    everything = world.sessions.recent(limit=9, wanted=Wanted(lifecycle=Lifecycle.ALL))

    assert ids(everything) == ["s0", "s1", "s2"]


def test_a_session_is_listed_once_something_is_asked_of_it(world: World):
    created(world, build.session())

    before = world.sessions.recent(limit=9, wanted=Wanted(lifecycle=Lifecycle.ALL))
    perform(world, submit(), SessionId("s1"))

    assert (ids(before), ids(world.sessions.recent(limit=9))) == ([], ["s1"])


def test_a_search_finds_what_is_far_behind_the_first_page(world: World):
    made(world, 30)
    created(world, asked(SessionId("needle"), title="A Needle", updated_at=NOW - timedelta(days=9)))

    found: list[str] = []
    page = world.sessions.recent(limit=2, wanted=Wanted(words=("needle",)))
    found += ids(page)
    while page.next is not None:
        page = world.sessions.recent(limit=2, start=page.next, wanted=Wanted(words=("needle",)))
        found += ids(page)

    assert found == ["needle"]


def test_pages_of_a_search_follow_each_other(world: World):
    newest_first = made(world, 7)

    first = world.sessions.recent(limit=4, wanted=Wanted(words=("tool",)))
    rest = world.sessions.recent(limit=4, start=first.next, wanted=Wanted(words=("tool",)))

    assert (ids(first), ids(rest), rest.next) == (newest_first[:4], newest_first[4:], None)


@pytest.mark.parametrize("start", ["", "x", "not base64!", "é", "bm90IGEgcGxhY2U"])
def test_a_start_that_was_never_given_is_refused(world: World, start: str):
    with pytest.raises(Invalid):
        world.sessions.recent(limit=10, start=start)
