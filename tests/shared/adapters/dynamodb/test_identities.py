"""The contracts of `Identities` and `Grants`, kept by the fakes and by DynamoDB alike."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

from shared.app.ports.grants import KeptGrant
from shared.domain.errors import Contended
from shared.domain.session.state import UserId
from tests.build import NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import insist
from tests.shared.adapters.dynamodb.worlds import World

ADA, BOB = UserId("ada"), UserId("bob")
GRANT = KeptGrant(ADA, "github", "v1", "c2VhbGVk", NOW)
RACERS = 6


def test_an_account_is_whose_it_was_linked_to_first(world: World):
    world.faults.plan(Fault.LOST)

    insist(lambda: world.identities.link("github", "7", ADA))

    assert world.identities.link("github", "7", BOB) == ADA
    assert world.identities.user_of("github", "7") == ADA
    assert world.identities.user_of("gitlab", "7") is None
    assert world.identities.user_of("github", "8") is None


def test_an_account_is_unlinked_by_whose_it_is_alone_and_may_be_anothers_then(world: World):
    world.identities.link("github", "7", ADA)

    world.identities.unlink("github", "7", BOB)
    world.identities.unlink("github", "8", ADA)
    kept = world.identities.user_of("github", "7")
    world.faults.plan(Fault.LOST)
    insist(lambda: world.identities.unlink("github", "7", ADA))

    assert (kept, world.identities.user_of("github", "7")) == (ADA, None)
    assert world.identities.link("github", "7", BOB) == BOB


def test_a_grant_that_is_forgotten_is_not_there_for_a_refresh_either(world: World):
    world.grants.put(GRANT)
    world.grants.put(replace(GRANT, provider="gitlab"))

    world.faults.plan(Fault.LOST)
    insist(lambda: world.grants.forget(ADA, "github"))
    world.grants.forget(BOB, "github")

    assert world.grants.get(ADA, "github") is None
    assert not world.grants.swap("v1", replace(GRANT, version="v2"))
    assert world.grants.get(ADA, "gitlab") is not None


def test_a_grant_is_kept_for_one_user_at_one_provider(world: World):
    world.faults.plan(Fault.LOST)

    insist(lambda: world.grants.put(GRANT))

    assert world.grants.get(ADA, "github") == GRANT
    assert world.grants.get(BOB, "github") is None
    assert world.grants.get(ADA, "gitlab") is None


def test_a_new_sign_in_replaces_whatever_was_kept(world: World):
    world.grants.put(replace(GRANT, ended="refresh refused"))

    world.grants.put(replace(GRANT, version="v2"))

    assert world.grants.get(ADA, "github") == replace(GRANT, version="v2")


def test_a_grant_is_swapped_for_the_version_that_was_seen_only(world: World):
    second, third = (replace(GRANT, version=version) for version in ("v2", "v3"))
    world.grants.put(GRANT)
    world.faults.plan(Fault.LOST)
    swapped: list[bool] = []

    insist(lambda: swapped.append(world.grants.swap("v1", second)))

    assert swapped == [True]
    assert not world.grants.swap("v1", third)
    assert world.grants.get(ADA, "github") == second


def test_nothing_is_swapped_where_nothing_is(world: World):
    assert not world.grants.swap("v1", replace(GRANT, version="v2"))
    assert world.grants.get(ADA, "github") is None


def test_of_all_who_race_to_swap_one_wins(world: World):
    world.grants.put(GRANT)
    line = Barrier(RACERS)

    def race(number: int) -> bool:
        line.wait(10)
        while True:
            try:
                return world.grants.swap("v1", replace(GRANT, version=f"by {number}"))
            except Contended:
                continue

    with ThreadPoolExecutor(RACERS) as pool:
        won = list(pool.map(race, range(RACERS)))

    kept = world.grants.get(ADA, "github")
    assert kept is not None
    assert sum(won) == 1
    assert kept.version == f"by {won.index(True)}"
