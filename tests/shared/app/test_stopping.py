"""A stop of whatever runs, when that changes while it is decided."""

from dataclasses import replace
from datetime import datetime

from shared.domain.session.commands import Stop
from shared.domain.session.state import UserId
from tests.shared.app.stories import finish, running, session_of
from tests.world import World


def test_a_stop_that_is_decided_anew_does_not_end_the_prompt_behind_the_one_it_meant():
    world = World()
    life = running(world)
    world.submit(life.session_id, request_id="p2")
    somebody_else = iter([lambda: finish(world, life)])

    def clock() -> datetime:
        """Asked between what is read and what is written."""
        for meanwhile in somebody_else:
            meanwhile()
        return world.app.sessions.clock()

    sessions = replace(world.app.sessions, clock=clock)
    sessions.handle(life.session_id, Stop(UserId("ada")))

    now = session_of(world, life)
    assert now.running is not None
    assert (now.running.prompt.number, now.running.stop) == (2, None)
