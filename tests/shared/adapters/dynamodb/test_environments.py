"""The contract of `EnvironmentStore`, kept by the fake and by DynamoDB alike."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.domain.environment import Environment, name_key
from shared.domain.errors import Conflict, Contended, DomainError, NotFound
from shared.domain.session.state import MAX_REPOSITORIES, EnvironmentId, UserId
from tests import build
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import insist
from tests.shared.adapters.dynamodb.worlds import World

SHOP = build.environment()
TOOLS = build.environment("Tools", id=EnvironmentId("env_tools"), description="")
CROWD = 8


def create(world: World, environment: Environment, fingerprint: str = "print") -> Environment:
    return world.environments.create(environment, fingerprint)


def delete(world: World) -> None:
    world.environments.delete(SHOP.id, build.NOW + timedelta(days=30))


def all_at_once(calls: list[Callable[[], object]]) -> list[bool]:
    """Who got their way, in order; who met another's transaction asks again."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(_has_its_way, calls))


def _has_its_way(call: Callable[[], object]) -> bool:
    for _ in range(50):
        try:
            call()
        except Contended:
            continue
        except Conflict:
            return False
        return True
    raise AssertionError("never got its turn")


def test_at_first_there_are_none(world: World):
    assert world.environments.all() == []
    assert world.environments.get(SHOP.id) is None


def test_they_are_found_by_id_and_listed_by_name(world: World):
    for environment in (TOOLS, SHOP):
        assert create(world, environment) == environment

    assert world.environments.get(SHOP.id) == SHOP
    assert world.environments.all() == [SHOP, TOOLS]


def test_the_largest_environment_there_can_be_is_kept(world: World):
    long = [replace(build.repository(f"r{n}"), label="ü" * 1_000) for n in range(MAX_REPOSITORIES)]
    large = replace(
        SHOP,
        name="🎈" * 100,
        description="ü" * 1_000,
        repositories=tuple(replace(each, url=f"{each.url}/{'x' * 1_900}") for each in long),
    )

    create(world, large)

    assert world.environments.get(SHOP.id) == large


def test_a_repeated_creation_is_answered_with_what_there_is_now(world: World):
    create(world, SHOP)
    edited = replace(SHOP, name="The Shop", version="v2")
    world.environments.replace(edited, instead_of="v1")

    assert create(world, replace(SHOP, version="v3")) == edited
    assert world.environments.all() == [edited]


def test_the_same_id_for_something_else_is_a_conflict(world: World):
    create(world, SHOP)

    with pytest.raises(Conflict, match="request id was used before"):
        create(world, replace(TOOLS, id=SHOP.id), "another print")

    assert world.environments.all() == [SHOP]


def test_a_name_is_there_once_in_whatever_letters(world: World):
    create(world, SHOP)

    with pytest.raises(Conflict, match="there is an environment 'SHOP' already"):
        create(world, replace(TOOLS, name="SHOP"))

    assert world.environments.all() == [SHOP]


def test_a_rename_frees_the_old_name_and_takes_the_new(world: World):
    create(world, SHOP)
    renamed = replace(SHOP, name="Market", version="v2")

    world.environments.replace(renamed, instead_of="v1")

    with pytest.raises(Conflict):
        create(world, replace(TOOLS, name="market"))
    assert create(world, replace(TOOLS, name="shop")).name == "shop"
    assert world.environments.get(SHOP.id) == renamed


def test_only_the_letters_of_a_name_may_change(world: World):
    create(world, SHOP)

    for number, name in enumerate(("SHOP", "shop"), 1):
        changed = replace(SHOP, name=name, version=f"v{number + 1}")
        world.environments.replace(changed, instead_of=f"v{number}")

    assert [each.name for each in world.environments.all()] == ["shop"]


def test_a_rename_to_the_name_of_another_changes_nothing(world: World):
    create(world, SHOP)
    create(world, TOOLS)

    with pytest.raises(Conflict, match="'Tools' already"):
        world.environments.replace(replace(SHOP, name="Tools", version="v2"), instead_of="v1")

    assert world.environments.all() == [SHOP, TOOLS]


def test_another_version_than_the_one_that_was_read_stays(world: World):
    create(world, SHOP)
    second = replace(SHOP, description="", updated_by=UserId("bob"), version="v2")
    world.environments.replace(second, instead_of="v1")

    with pytest.raises(Conflict, match="changed since"):
        world.environments.replace(replace(SHOP, name="Late", version="v3"), instead_of="v1")

    assert world.environments.all() == [second]


def test_what_is_gone_is_not_put_back(world: World):
    create(world, SHOP)
    delete(world)

    with pytest.raises(NotFound):
        world.environments.replace(replace(SHOP, version="v2"), instead_of="v1")

    assert world.environments.all() == []


def test_a_deletion_frees_the_name_and_may_be_repeated(world: World):
    create(world, SHOP)

    for _ in range(2):
        delete(world)

    assert world.environments.get(SHOP.id) is None
    assert create(world, replace(TOOLS, name="Shop")).name == "Shop"


def test_a_creation_that_is_repeated_after_a_deletion_makes_none(world: World):
    create(world, SHOP)
    delete(world)

    with pytest.raises(NotFound, match="deleted"):
        create(world, SHOP)
    with pytest.raises(Conflict, match="request id"):
        create(world, SHOP, "another")
    with pytest.raises(NotFound):
        world.environments.replace(replace(SHOP, version="v2"), instead_of="v1")

    delete(world)
    assert world.environments.get(SHOP.id) is None
    assert world.environments.all() == []
    assert create(world, replace(SHOP, id=EnvironmentId("env_new"))).name == SHOP.name


@pytest.mark.parametrize("lost", [1, 5], ids=["once", "for long"])
def test_a_lost_answer_is_not_taken_for_somebody_else(world: World, lost: int):
    edited = replace(SHOP, name="Market", version="v2")
    for call in (
        lambda: create(world, SHOP),
        lambda: world.environments.replace(edited, instead_of="v1"),
    ):
        world.faults.plan(*[Fault.LOST] * lost)
        insist(call)
    assert world.environments.all() == [edited]

    world.faults.plan(*[Fault.LOST] * lost)
    insist(lambda: delete(world))
    assert world.environments.all() == []


def test_of_a_crowd_that_wants_one_name_one_gets_it(world: World):
    wanted = [replace(SHOP, id=EnvironmentId(f"env_{n}"), name="sHoP") for n in range(CROWD)]

    won = all_at_once([lambda each=each: create(world, each) for each in wanted])

    assert won.count(True) == 1
    assert world.environments.all() == [wanted[won.index(True)]]


def test_of_a_crowd_that_edits_one_version_one_gets_its_way(world: World):
    create(world, SHOP)
    wanted = [replace(SHOP, name=f"Shop {n}", version=f"w{n}") for n in range(CROWD)]

    won = all_at_once(
        [lambda each=each: world.environments.replace(each, instead_of="v1") for each in wanted]
    )

    assert won.count(True) == 1
    assert world.environments.all() == [wanted[won.index(True)]]
    free = [each.name for each in wanted if not won[wanted.index(each)]]
    for number, name in enumerate(free):
        create(world, replace(TOOLS, id=EnvironmentId(f"env_free{number}"), name=name))


def test_those_who_rename_and_delete_at_once_leave_no_name_taken(world: World):
    create(world, SHOP)
    create(world, TOOLS)

    def rename() -> None:
        with suppress(NotFound):
            renamed = replace(SHOP, name="Market", version="v2")
            world.environments.replace(renamed, instead_of="v1")

    def swap() -> None:
        world.environments.replace(replace(TOOLS, name="Shop", version="v2"), instead_of="v1")

    all_at_once([rename, lambda: delete(world), swap])

    left = {name_key(each.name) for each in world.environments.all()}
    assert world.environments.get(SHOP.id) is None
    for name in ("Shop", "Market", "Tools"):
        again = replace(SHOP, id=EnvironmentId(f"env_{name}"), name=name)
        assert _is_free(world, again) == (name_key(name) not in left)


def _is_free(world: World, environment: Environment) -> bool:
    try:
        create(world, environment)
    except DomainError:
        return False
    return True
