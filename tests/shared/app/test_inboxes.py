"""Inboxes: nothing unread is ever lost, in whatever order turns end, people read and archive."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.app.inboxes import Row
from shared.domain.errors import NotFound, Rejected
from shared.domain.inbox import Category, Member
from shared.domain.session.commands import Archive, Command, Stop, SubmitPrompt, Unarchive
from shared.domain.session.state import Author, SessionId, SessionStatus, UserId
from tests.build import ADA
from tests.fakes.store_faults import Fault, Happening
from tests.shared.adapters.dynamodb.committing import insist
from tests.world import World

EVE = UserId("eve")


def ask(world: World, session_id: SessionId, command: Command) -> None:
    """As somebody who asks again when the answer was lost; it may have come about meanwhile."""
    with suppress(Rejected):
        insist(lambda: world.app.sessions.handle(session_id, command))


def finish_turn(world: World, session_id: SessionId, user: UserId = ADA.user) -> None:
    """Asked, and stopped before a sandbox was there: its turn is over."""
    author = Author(user, user, f"{user}@example.com")
    ask(world, session_id, SubmitPrompt(author=author, text="do it", model="demo/scripted"))
    while world.app.sessions.load(session_id).unfinished:
        ask(world, session_id, Stop(user))


def sweep(world: World) -> None:
    """Until nothing is due any more."""
    for _ in range(20):
        world.pass_time(timedelta(minutes=10))
        world.app.effects.sweep()
        if not world.memory.effects:
            return
    raise AssertionError("effects without an end")


def place(world: World, session_id: SessionId, user: UserId = ADA.user) -> Category | None:
    rows = world.app.inboxes.of(user, limit=100, mine=False).rows
    places = [where for where, row in rows.items() if session_id in {r.session.id for r in row}]
    assert len(places) <= 1
    return places[0] if places else None


def is_listed(world: World, session_id: SessionId, user: UserId) -> bool:
    """By the list of the unread alone, as an old session is found."""
    found = world.ports.members.inbox(user, newest=0, most=9, owner=None)
    return session_id in {session.id for session, _ in found.sessions}


def test_a_finished_turn_waits_for_its_owner_until_it_is_read():
    world = World()
    session_id = world.open_session()
    empty = place(world, session_id)
    world.submit(session_id)
    active = place(world, session_id)
    world.app.sessions.handle(session_id, Stop(ADA.user))
    over = place(world, session_id)

    row = world.app.inboxes.read(session_id, ADA.user, 1)

    assert (empty, active, over) == (None, Category.IN_PROGRESS, Category.NEEDS_ATTENTION)
    assert row == Row(world.app.sessions.load(session_id), unread=False)
    assert place(world, session_id) is Category.RECENT


def test_what_others_ask_waits_for_whoever_has_opened_the_session():
    world = World()
    session_id = world.open_session()
    finish_turn(world, session_id)

    stranger = place(world, session_id, EVE)
    world.app.inboxes.read(session_id, EVE, 0)
    opened = place(world, session_id, EVE)
    finish_turn(world, session_id)

    assert (stranger, opened) == (Category.RECENT, Category.RECENT)
    assert place(world, session_id, EVE) is Category.NEEDS_ATTENTION
    assert is_listed(world, session_id, EVE)


def test_the_archive_hides_what_is_unread_and_gives_it_back():
    world = World()
    session_id = world.open_session()
    finish_turn(world, session_id)

    world.app.sessions.handle(session_id, Archive(ADA.user))
    hidden = place(world, session_id), is_listed(world, session_id, ADA.user)
    world.app.sessions.handle(session_id, Unarchive(ADA.user))

    assert hidden == (None, False)
    assert place(world, session_id) is Category.NEEDS_ATTENTION
    assert is_listed(world, session_id, ADA.user)


def test_mine_leaves_out_what_others_own():
    world = World()
    session_id = world.open_session()
    finish_turn(world, session_id, EVE)

    rows = world.app.inboxes.of(EVE, limit=9, mine=True).rows

    assert list(rows.values()) == [[], [], []]
    assert world.app.inboxes.of(ADA.user, limit=9, mine=True).rows[Category.NEEDS_ATTENTION]


def test_nobody_reads_what_does_not_exist():
    with pytest.raises(NotFound):
        World().app.inboxes.read(SessionId("nowhere"), EVE, 1)


def test_the_owner_is_a_participant_who_has_not_come_yet():
    world = World()
    session_id = world.open_session()
    world.app.inboxes.read(session_id, EVE, 0)

    participants = world.app.inboxes.participants(session_id)

    assert participants == [Member(user=ADA.user), Member(user=EVE, seen_at=world.now)]


def test_a_turn_that_ends_while_somebody_joins_waits_for_them():
    world = World()
    session_id = world.open_session()
    finish_turn(world, session_id)
    # Between the look at the session and the first word of the participant.
    world.memory.faults.plan(lambda: finish_turn(world, session_id))

    world.app.inboxes.read(session_id, EVE, 1)

    assert is_listed(world, session_id, EVE)


def test_a_turn_that_ends_while_the_one_before_is_read_is_unread():
    world = World()
    session_id = world.open_session()
    finish_turn(world, session_id)
    world.memory.faults.plan(lambda: finish_turn(world, session_id))

    row = world.app.inboxes.read(session_id, ADA.user, 1)

    assert row.unread
    assert is_listed(world, session_id, ADA.user)


type Act = Callable[[World, SessionId], None]

USERS = st.sampled_from([ADA.user, EVE])


def _read(user: UserId, prompt: int) -> Act:
    def act(world: World, session_id: SessionId) -> None:
        insist(lambda: world.app.inboxes.read(session_id, user, prompt))

    return act


def _finish(user: UserId) -> Act:
    return lambda world, session_id: finish_turn(world, session_id, user)


def _put_away(world: World, session_id: SessionId) -> None:
    ask(world, session_id, Archive(ADA.user))


def _take_back(world: World, session_id: SessionId) -> None:
    ask(world, session_id, Unarchive(ADA.user))


ACTS = st.one_of(
    st.builds(_finish, USERS),
    st.builds(_read, USERS, st.integers(0, 6)),
    st.sampled_from([_put_away, _take_back]),
)
FAULTS = st.lists(st.sampled_from([None, None, *Fault]), max_size=6)


@given(st.lists(st.tuples(ACTS, FAULTS, st.none() | ACTS), min_size=1, max_size=8))
@settings(deadline=None, max_examples=150)
def test_nothing_unread_is_lost_whatever_happens_in_whatever_order(
    story: Sequence[tuple[Act, Sequence[Happening], Act | None]],
):
    """In each step writes get lost, and somebody else may come between a look and a write."""
    world = World()
    session_id = world.open_session()
    reads: dict[UserId, int] = {}

    for act, faults, between in story:
        script: list[Happening] = [*faults]
        if between is not None:
            script.insert(0, lambda between=between: between(world, session_id))
        world.memory.faults.plan(*script)
        act(world, session_id)
        for user in (ADA.user, EVE):
            member = world.ports.members.get(session_id, user)
            now = member.read if member else 0
            assert now >= reads.get(user, 0)
            reads[user] = now
    world.memory.faults.plan()
    sweep(world)

    session = world.app.sessions.load(session_id)
    archived = session.status is SessionStatus.ARCHIVED
    for user in (ADA.user, EVE):
        takes_part = user == session.owner or world.ports.members.get(session_id, user)
        unread = bool(takes_part) and (session.finished or 0) > reads[user] and not archived
        assert is_listed(world, session_id, user) == unread
        assert (place(world, session_id, user) is Category.NEEDS_ATTENTION) == unread
