"""The contract of `Images`, kept by the fake and by DynamoDB alike."""

from dataclasses import replace

import pytest

from shared.adapters.dynamodb.images import DynamoImages
from shared.adapters.dynamodb.table import Table
from shared.domain.errors import Invalid
from tests.build import repository
from tests.shared.adapters.dynamodb.worlds import World

TOOL, LIB = repository("tool"), repository("lib")


def test_there_is_none_until_one_is_registered(world: World):
    before = world.images.of((TOOL,))

    world.images.register((TOOL,), "team/tool:1")

    assert (before, world.images.of((TOOL,))) == (None, "team/tool:1")


def test_a_newer_one_takes_the_place_of_the_one_before(world: World):
    for image in ("team/tool:1", "team/tool:2", "team/tool:2"):
        world.images.register((TOOL,), image)

    assert world.images.of((TOOL,)) == "team/tool:2"


@pytest.mark.parametrize(
    "other",
    [
        (LIB,),
        (TOOL, LIB),
        (LIB, TOOL),
        (replace(TOOL, branch="main"),),
        (replace(TOOL, url="https://git.example.com/other/tool.git"),),
        (),
    ],
    ids=["another", "one more", "and in another order", "a branch", "another owner's", "nothing"],
)
def test_an_image_is_of_these_very_repositories(world: World, other: tuple[()]):
    world.images.register((TOOL,), "team/tool:1")

    assert world.images.of(other) is None


def test_the_order_of_the_repositories_is_the_images(world: World):
    world.images.register((TOOL, LIB), "team/both:1")

    assert world.images.of((TOOL, LIB)) == "team/both:1"
    assert world.images.of((LIB, TOOL)) is None


@pytest.mark.parametrize(
    "same",
    [
        replace(TOOL, name="elsewhere", label="our tool"),
        replace(TOOL, url="https://git.example.com/acme/tool"),
        replace(TOOL, url="https://GIT.example.com:443/acme/tool.git/"),
    ],
    ids=["by another name", "without .git", "spelled otherwise"],
)
def test_what_a_repository_is_called_does_not_matter(world: World, same):
    world.images.register((TOOL,), "team/tool:1")

    assert world.images.of((same,)) == "team/tool:1"


def test_one_that_is_forgotten_is_gone_and_forgetting_again_is_fine(world: World):
    world.images.register((TOOL,), "team/tool:1")
    world.images.register((LIB,), "team/lib:1")

    for _ in range(2):
        world.images.forget((TOOL,))

    assert (world.images.of((TOOL,)), world.images.of((LIB,))) == (None, "team/lib:1")


def test_what_is_no_repository_has_no_image(world: World):
    with pytest.raises(Invalid):
        world.images.of((replace(TOOL, url="file:///etc"),))


def test_a_deployment_has_one_set_of_images(workspace_table: Table):
    DynamoImages(workspace_table).register((TOOL,), "team/tool:1")

    assert DynamoImages(workspace_table).of((TOOL,)) == "team/tool:1"
