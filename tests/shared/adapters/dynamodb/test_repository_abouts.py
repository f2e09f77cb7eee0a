"""The contract of `RepositoryAbouts`, kept by the fake and by DynamoDB alike."""

from shared.app.ports.repository_abouts import About
from shared.domain.repository_url import key
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import insist
from tests.shared.adapters.dynamodb.worlds import World

TOOL, LIB = key("https://github.com/team/tool"), key("https://github.com/team/lib")
ABOUT = About("A hammer", ("the tool",), ("nails", "wood"), "e1")


def test_nothing_is_said_of_a_repository_at_first(world: World):
    assert world.abouts.get(TOOL) == About()


def test_the_last_word_counts_whatever_answer_was_lost(world: World):
    world.abouts.put(TOOL, About("old", keywords=("old",)))
    world.faults.plan(Fault.LOST)
    insist(lambda: world.abouts.put(TOOL, ABOUT))

    assert world.abouts.get(TOOL) == ABOUT
    assert world.abouts.get(LIB) == About()
