"""The contract of `SettingsStore`, kept by the fake and by DynamoDB alike."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.app.ports.sandbox_settings import Chosen
from shared.domain.errors import Conflict
from shared.domain.repository_url import key
from shared.domain.sandbox_settings import SandboxSettings
from tests.build import NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import insist
from tests.shared.adapters.dynamodb.worlds import World

SETTINGS = SandboxSettings(lifetime=timedelta(hours=2), tunnel_ports=(), cpu_cores=4)
EVERYWHERE = Chosen(repository=None, settings=SETTINGS, version="v1", by="ada", at=NOW)
TOOL = replace(EVERYWHERE, repository=key(f"https://git.example.com/{'deep/' * 300}tool"))
APP = replace(EVERYWHERE, repository=key("https://git.example.com/acme/app"))


def test_where_nothing_was_chosen_there_is_nothing(world: World):
    assert world.settings.get(None) is None
    assert world.settings.get(TOOL.repository) is None
    assert world.settings.of_repositories() == []


def test_each_level_is_kept_by_itself(world: World):
    for chosen in (TOOL, EVERYWHERE, APP):
        world.settings.put(chosen, instead_of=None)

    assert world.settings.get(None) == EVERYWHERE
    assert world.settings.get(TOOL.repository) == TOOL
    assert world.settings.of_repositories() == [APP, TOOL]


def test_the_version_that_was_read_is_replaced(world: World):
    world.settings.put(EVERYWHERE, instead_of=None)
    second = replace(EVERYWHERE, version="v2", by="bob")

    world.settings.put(second, instead_of="v1")

    assert world.settings.get(None) == second


@pytest.mark.parametrize("read", [None, "v0"])
def test_another_version_than_the_one_that_was_read_stays(world: World, read: str | None):
    world.settings.put(EVERYWHERE, instead_of=None)

    with pytest.raises(Conflict, match="changed since"):
        world.settings.put(replace(EVERYWHERE, version="v2", by="bob"), instead_of=read)

    assert world.settings.get(None) == EVERYWHERE


def test_what_was_removed_meanwhile_is_not_put_back(world: World):
    world.settings.put(TOOL, instead_of=None)
    assert TOOL.repository is not None
    world.settings.remove(TOOL.repository, "v1")

    with pytest.raises(Conflict, match="changed since"):
        world.settings.put(replace(TOOL, version="v2"), instead_of="v1")

    assert world.settings.get(TOOL.repository) is None


def test_only_the_version_that_was_read_is_removed(world: World):
    world.settings.put(TOOL, instead_of=None)
    assert TOOL.repository is not None

    with pytest.raises(Conflict, match="changed since"):
        world.settings.remove(TOOL.repository, "v0")
    assert world.settings.get(TOOL.repository) == TOOL

    for _ in range(2):
        world.settings.remove(TOOL.repository, "v1")
    assert world.settings.get(TOOL.repository) is None


@pytest.mark.parametrize("lost", [1, 5], ids=["once", "for long"])
def test_a_lost_answer_is_not_taken_for_another_editor(world: World, lost: int):
    world.faults.plan(*[Fault.LOST] * lost)
    insist(lambda: world.settings.put(EVERYWHERE, instead_of=None))

    world.faults.plan(*[Fault.LOST] * lost)
    insist(lambda: world.settings.put(replace(EVERYWHERE, version="v2"), instead_of="v1"))

    assert world.settings.get(None) == replace(EVERYWHERE, version="v2")
