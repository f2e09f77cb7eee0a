"""The contract of `Policies`, kept by the fake and by DynamoDB alike."""

from shared.app.ports.pull_request_policies import Policy
from shared.domain.repository_url import key
from tests.shared.adapters.dynamodb.worlds import World

APP = key(f"https://git.example.com/{'deep/' * 300}app")


def test_where_nothing_was_chosen_there_is_nothing(world: World):
    assert world.policies.get(None) is None
    assert world.policies.get(APP) is None


def test_each_level_is_kept_by_itself_and_the_last_one_wins(world: World):
    world.policies.put(None, Policy(draft=True))
    world.policies.put(APP, Policy(label="from outboard"))
    world.policies.put(APP, Policy(label="agents"))

    assert world.policies.get(None) == Policy(draft=True)
    assert world.policies.get(APP) == Policy(label="agents")


def test_what_is_taken_back_is_not_there_until_it_is_chosen_again(world: World):
    world.policies.put(None, Policy(draft=True))
    world.policies.put(APP, Policy(label="agents"))

    world.policies.put(APP, None)
    taken_back = world.policies.get(APP)
    world.policies.put(APP, Policy())

    assert (taken_back, world.policies.get(APP)) == (None, Policy())
    assert world.policies.get(None) == Policy(draft=True)
