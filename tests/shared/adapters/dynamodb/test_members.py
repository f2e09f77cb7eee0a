"""The contract of `Members`, kept by the fake and by DynamoDB alike."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from shared.app.ports.members import Found, MemberChanged
from shared.domain.inbox import Member
from shared.domain.session.commands import SubmitPrompt
from shared.domain.session.state import (
    Author,
    PromptStatus,
    Session,
    SessionId,
    SessionStatus,
    UserId,
)
from tests import build
from tests.build import ADA, NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import created, insist, perform, submit
from tests.shared.adapters.dynamodb.worlds import World

S = SessionId("s1")
EVE = UserId("eve")
UNREAD = Member(user=EVE, read=1, filed=4, unread=True, seen_at=NOW)


def finished(world: World, name: str = "s1", **fields: Any) -> Session:
    done = {"prompts": 2, "finished": 2, "last_outcome": PromptStatus.COMPLETED, "version": 4}
    fields = {"id": SessionId(name), "status": SessionStatus.COMPLETED} | done | fields
    return created(world, build.session(**fields))


def inbox(world: World, user: UserId = EVE, **asked: Any) -> Found:
    usual: dict[str, Any] = {"newest": 9, "most": 9, "owner": None}
    return world.members.inbox(user, **usual | asked)


def ids(found: Found) -> list[str]:
    return sorted(session.id for session, _ in found.sessions)


def test_somebody_who_was_never_there_is_unknown(world: World):
    finished(world)

    assert world.members.get(S, EVE) is None
    assert world.members.of_session(S) == []
    assert inbox(world) == Found([(world.sessions.load(S), None)], more=False)


def test_a_participant_is_kept_and_found(world: World):
    session = finished(world)
    other = Member(user=UserId("bob"), read=2, filed=3)

    world.members.put(session, None, UNREAD)
    world.members.put(session, None, other)

    assert world.members.get(S, EVE) == UNREAD
    assert world.members.of_session(S) == [other, UNREAD]
    assert inbox(world) == Found([(session, UNREAD)], more=False)


def test_what_somebody_else_has_written_meanwhile_stays(world: World):
    session = finished(world)
    world.members.put(session, None, UNREAD)
    later = replace(UNREAD, filed=6)

    with pytest.raises(MemberChanged):
        world.members.put(session, None, later)
    with pytest.raises(MemberChanged):
        world.members.put(session, replace(UNREAD, filed=5), later)
    with pytest.raises(MemberChanged):
        world.members.put(session, replace(UNREAD, read=0), later)

    assert world.members.get(S, EVE) == UNREAD


@pytest.mark.parametrize("lost", [1, 5], ids=["once", "for long"])
def test_a_lost_answer_is_not_taken_for_another_writer(world: World, lost: int):
    session = finished(world)
    read = replace(UNREAD, read=2, filed=5, unread=False)

    world.faults.plan(*[Fault.LOST] * lost)
    insist(lambda: world.members.put(session, None, UNREAD))
    world.faults.plan(*[Fault.LOST] * lost)
    insist(lambda: world.members.put(session, UNREAD, read))

    assert world.members.get(S, EVE) == read


def test_who_asks_for_something_is_a_participant_and_keeps_what_they_have_read(world: World):
    session = finished(world)
    world.members.put(session, None, UNREAD)
    asked = SubmitPrompt(author=Author(EVE, "Eve", "eve@example.com"), text="more", model="m")

    for number in range(2):
        perform(world, asked, S, now=NOW + timedelta(minutes=number))

    eve = world.members.get(S, EVE)
    assert eve == replace(UNREAD, prompts=2, seen_at=NOW + timedelta(minutes=1))


def test_what_finished_before_somebody_asks_is_read_but_not_by_the_owner(world: World):
    finished(world)
    asked = SubmitPrompt(author=Author(EVE, "Eve", "eve@example.com"), text="more", model="m")

    perform(world, asked, S)
    perform(world, submit(), S)

    assert world.members.get(S, EVE) == Member(user=EVE, read=2, prompts=1, seen_at=NOW)
    owner = Member(user=ADA.user, read=0, prompts=1, seen_at=NOW)
    assert world.members.get(S, ADA.user) == owner


def test_the_count_of_prompts_is_the_commits(world: World):
    finished(world)
    perform(world, submit(), S)
    ada = world.members.get(S, ADA.user)
    assert ada is not None

    world.members.put(world.sessions.load(S), ada, replace(ada, read=1, prompts=7))

    assert world.members.get(S, ADA.user) == replace(ada, read=1)


def test_the_unread_and_the_active_are_found_however_many_are_newer(world: World):
    old = {"updated_at": NOW - timedelta(days=30)}
    unread = finished(world, "unread", **old)
    world.members.put(unread, None, UNREAD)
    finished(world, "active", status=SessionStatus.ACTIVE, **old)
    for number in range(5):
        finished(world, f"new{number}", updated_at=NOW + timedelta(minutes=number))

    found = inbox(world, newest=2)

    assert ids(found) == ["active", "new3", "new4", "unread"]
    assert (unread, UNREAD) in found.sessions
    assert ids(inbox(world, UserId("bob"), newest=2)) == ["active", "new3", "new4"]


def test_what_is_read_leaves_the_list_of_the_unread(world: World):
    session = finished(world)
    world.members.put(session, None, UNREAD)

    world.members.put(session, UNREAD, replace(UNREAD, read=2, unread=False))

    assert ids(inbox(world, newest=0)) == []


def test_an_inbox_can_be_of_ones_own_sessions_only(world: World):
    for name, owner in (("hers", EVE), ("his", ADA.user)):
        session = finished(world, name, owner=owner)
        world.members.put(session, None, UNREAD)
        finished(world, f"{name}-active", owner=owner, status=SessionStatus.ACTIVE)

    assert ids(inbox(world, owner=EVE)) == ["hers", "hers-active"]


def test_more_unread_ones_than_fit_are_said_to_be_there(world: World):
    for number in range(4):
        name, moment = f"s{number}", NOW + timedelta(minutes=number)
        world.members.put(finished(world, name, updated_at=moment), None, UNREAD)

    some, all_of_them = inbox(world, newest=0, most=3), inbox(world, newest=0, most=4)

    assert (ids(some), some.more) == (["s1", "s2", "s3"], True)
    assert (len(all_of_them.sessions), all_of_them.more) == (4, False)
