"""The contract of `AccessTokens`, kept by the fake and by DynamoDB alike."""

from dataclasses import replace
from datetime import date, timedelta

from shared.app.ports.access_tokens import AccessToken
from shared.domain.session.state import UserId
from tests.build import NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import insist
from tests.shared.adapters.dynamodb.worlds import World

ADA, BOB = UserId("ada"), UserId("bob")
CI = AccessToken("t1", ADA, "ci", "write", NOW, NOW + timedelta(days=90), token_hash="hash")


def test_a_token_is_found_by_its_user_and_id(world: World):
    world.faults.plan(Fault.LOST)

    insist(lambda: world.access_tokens.add(CI))

    assert world.access_tokens.get(ADA, "t1") == CI
    assert world.access_tokens.get(BOB, "t1") is None
    assert world.access_tokens.get(ADA, "t2") is None


def test_a_users_tokens_are_listed_the_oldest_first(world: World):
    newer = replace(CI, id="a0", created_at=NOW + timedelta(days=1))
    for token in (newer, CI, replace(CI, user=BOB)):
        world.access_tokens.add(token)

    assert world.access_tokens.of(ADA) == [CI, newer]


def test_the_day_of_its_last_use_moves_forward_only(world: World):
    world.access_tokens.add(CI)

    world.access_tokens.used(ADA, "t1", date(2026, 3, 2))
    world.access_tokens.used(ADA, "t1", date(2026, 3, 1))
    world.faults.plan(Fault.LOST)
    insist(lambda: world.access_tokens.used(ADA, "t1", date(2026, 3, 3)))

    assert world.access_tokens.of(ADA) == [replace(CI, last_used="2026-03-03")]


def test_a_token_is_revoked_by_its_own_user_only(world: World):
    world.access_tokens.add(CI)

    world.access_tokens.revoke(BOB, "t1")

    assert world.access_tokens.of(ADA) == [CI]


def test_a_revoked_token_is_gone_and_no_use_brings_it_back(world: World):
    world.access_tokens.add(CI)
    world.faults.plan(Fault.LOST)

    insist(lambda: world.access_tokens.revoke(ADA, "t1"))
    world.access_tokens.revoke(ADA, "t1")
    world.access_tokens.used(ADA, "t1", date(2026, 3, 2))

    assert world.access_tokens.get(ADA, "t1") is None
    assert world.access_tokens.of(ADA) == []
