"""The contract of `Users` and `Tickets`, kept by the fake and by DynamoDB alike."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.app.ports.workspace import Ticket, User
from shared.domain.errors import Conflict, Contended, NotFound
from shared.domain.session.state import SessionId, UserId
from tests.build import NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import insist
from tests.shared.adapters.dynamodb.worlds import World

ADA = User(UserId("ada"), "ada", "owner", NOW)
BOB = User(UserId("bob"), "bob", "member", NOW)


def test_a_user_is_known_by_the_token(world: World):
    world.users.add(ADA, "hash")

    assert world.users.by_token("hash") == ADA
    assert world.users.by_token("other") is None


def test_all_users_are_listed_by_name(world: World):
    world.users.add(BOB, "b")
    world.users.add(ADA, "a")

    assert world.users.all() == [ADA, BOB]


def test_a_name_is_taken_once(world: World):
    world.users.add(ADA, "hash")

    with pytest.raises(Conflict, match="ada"):
        world.users.add(replace(BOB, name="ada"), "other")

    assert world.users.all() == [ADA]
    assert world.users.by_token("other") is None


def test_a_lost_answer_to_an_addition_is_not_a_conflict(world: World):
    world.faults.plan(*[Fault.LOST] * 5)

    insist(lambda: world.users.add(ADA, "hash"))

    assert world.users.by_token("hash") == ADA


def test_a_new_token_kills_the_old_one(world: World):
    world.users.add(ADA, "old")
    world.users.add(BOB, "bob")

    assert world.users.renew(ADA.id, "new") == replace(ADA, epoch=1)

    assert world.users.by_token("old") is None
    assert world.users.by_token("new") == world.users.get(ADA.id) == replace(ADA, epoch=1)
    assert world.users.by_token("bob") == BOB


def test_signing_out_begins_the_next_epoch_with_the_same_token(world: World):
    world.users.add(ADA, "old")
    world.faults.plan(Fault.LOST)

    insist(lambda: world.users.sign_out(ADA.id))

    known = world.users.get(ADA.id)
    assert known is not None
    assert known.epoch >= 1
    assert world.users.by_token("old") == known


def test_nobody_unknown_signs_out(world: World):
    with pytest.raises(NotFound):
        world.users.sign_out(ADA.id)


def test_tokens_can_be_renewed_again_and_again(world: World):
    world.users.add(ADA, "one")

    world.users.renew(ADA.id, "two")
    world.users.renew(ADA.id, "three")

    newest = replace(ADA, epoch=2)
    assert [world.users.by_token(token) for token in ("one", "two", "three")] == [
        *(None, None),
        newest,
    ]


def test_what_a_user_is_called_is_known_by_every_way_to_the_user(world: World):
    described = replace(ADA, display_name="Ada L.", email="ada@example.com")
    world.users.add(ADA, "hash")
    world.users.add(BOB, "bob")
    world.faults.plan(Fault.LOST)

    insist(lambda: world.users.describe(ADA, described))

    assert world.users.get(ADA.id) == world.users.by_token("hash") == described
    assert world.users.all() == [described, BOB]
    assert world.users.get(UserId("nobody")) is None


def test_a_change_of_what_is_not_there_any_more_is_refused(world: World):
    world.users.add(ADA, "hash")
    world.users.describe(ADA, replace(ADA, display_name="Ada L."))

    with pytest.raises(Contended, match="ada"):
        world.users.describe(ADA, replace(ADA, display_name="Ada K."))

    assert world.users.get(ADA.id) == replace(ADA, display_name="Ada L.")


def test_nobody_can_renew_the_token_of_an_unknown_user(world: World):
    with pytest.raises(NotFound, match="ada"):
        world.users.renew(ADA.id, "new")


def test_a_ticket_is_seen_until_it_is_used(world: World):
    ticket = Ticket(SessionId("s1"), ADA.id, ADA.name, NOW + timedelta(seconds=60, microseconds=5))
    world.faults.plan(Fault.LOST)

    insist(lambda: world.tickets.issue("hash", ticket))

    assert world.tickets.peek("hash") == ticket
    assert world.tickets.peek("other") is None
