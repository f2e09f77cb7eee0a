"""Work that a commit asked for gets done, by whoever committed or by the sweep."""

from datetime import timedelta

from shared.app.effects import MAX_TRIES
from shared.domain.errors import Unavailable
from tests.fakes.store_faults import Fault
from tests.world import World


def test_an_effect_is_performed_by_whoever_committed():
    world = World()
    session_id = world.open_session()

    world.submit(session_id)

    assert world.workflow.started == [(session_id, 1, 1)]
    world.pass_time(timedelta(minutes=2))
    assert world.app.effects.sweep() == 0


def test_what_failed_is_done_by_the_sweep_and_the_prompt_is_not_lost():
    world = World()
    session_id = world.open_session()
    world.workflow.failure = Unavailable("no answer")

    world.submit(session_id)
    world.workflow.failure = None
    world.pass_time(timedelta(minutes=2))
    done = world.app.effects.sweep()

    assert done == 1
    assert world.workflow.started == [(session_id, 1, 1)]


def test_an_effect_whose_row_stays_behind_fails_nobody_who_asked():
    world = World()
    session_id = world.open_session()
    world.memory.faults.plan(None, Fault.DROPPED)

    assert world.submit(session_id) == 1
    world.pass_time(timedelta(minutes=2))
    assert world.app.effects.sweep() == 1


def test_what_is_not_due_yet_is_left_to_whoever_committed():
    world = World()
    session_id = world.open_session()
    world.workflow.failure = Unavailable("no answer")
    world.submit(session_id)
    world.workflow.failure = None

    assert world.app.effects.sweep() == 0


def test_after_eight_tries_it_stays_with_its_error():
    world = World()
    session_id = world.open_session()
    world.workflow.failure = Unavailable("no answer")
    world.submit(session_id)

    for _ in range(MAX_TRIES + 2):
        world.pass_time(timedelta(hours=1))
        world.app.effects.sweep()
    world.workflow.failure = None
    world.pass_time(timedelta(hours=1))

    assert world.app.effects.sweep() == 0
    (effect,) = world.memory.effects.values()
    assert (effect.tries, effect.error) == (MAX_TRIES, "Unavailable: no answer")


def test_two_sweeps_do_it_once():
    world = World()
    session_id = world.open_session()
    world.workflow.failure = Unavailable("no answer")
    world.submit(session_id)
    world.workflow.failure = None
    world.pass_time(timedelta(minutes=2))

    assert (world.app.effects.sweep(), world.app.effects.sweep()) == (1, 0)
