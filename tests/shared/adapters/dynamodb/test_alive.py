"""Sessions with a living attempt are found without reading all of them, in both stores."""

from shared.domain.session.commands import Retire
from shared.domain.session.state import SessionId
from tests.shared.adapters.dynamodb.committing import created, perform, submit
from tests.shared.adapters.dynamodb.worlds import World

S = SessionId("s1")


def test_a_session_is_found_from_its_first_attempt_until_that_is_retired(world: World):
    created(world)
    before = world.sessions.alive()

    perform(world, submit(), S)
    living = world.sessions.alive()
    perform(world, Retire(1, None), S)

    assert (list(before), list(living), list(world.sessions.alive())) == ([], [S], [])
