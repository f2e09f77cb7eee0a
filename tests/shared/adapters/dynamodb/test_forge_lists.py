"""The contract of `ForgeListStore`, kept by the fake and by DynamoDB alike."""

from datetime import timedelta

from shared.app.ports.forge_lists import Kept
from shared.app.ports.forges import Branch, ForgeRepository
from tests.build import NOW
from tests.shared.adapters.dynamodb.worlds import World

TOOL = ForgeRepository(
    "https://github.com/team/tool.git", "team/tool", "Ein Werkzeug", "main", True, False
)
REPOSITORIES = Kept(NOW, repositories=(TOOL,))
BRANCHES = Kept(NOW, branches=tuple(Branch(f"b{n}", f"{n:040x}") for n in range(2_000)))
LATER = NOW + timedelta(hours=1)


def test_at_first_nothing_is_kept(world: World):
    assert world.forge_lists.get("repositories github") is None


def test_each_list_is_kept_by_its_name(world: World):
    world.forge_lists.put("repositories github", REPOSITORIES, LATER)
    world.forge_lists.put("branches x", BRANCHES, LATER)

    assert world.forge_lists.get("repositories github") == REPOSITORIES
    assert world.forge_lists.get("branches x") == BRANCHES


def test_a_newer_one_takes_its_place(world: World):
    world.forge_lists.put("repositories github", REPOSITORIES, LATER)
    world.forge_lists.put("repositories github", Kept(LATER), LATER)

    assert world.forge_lists.get("repositories github") == Kept(LATER)
