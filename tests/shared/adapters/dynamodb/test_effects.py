"""The contract of `EffectStore`, kept by the fake and by DynamoDB alike."""

from dataclasses import replace
from datetime import timedelta

from shared.app.ports.sessions import PendingEffect
from shared.domain.session.decision import ArmTimer, CompleteTask, Decision, Effect, StartLife
from shared.domain.session.state import SessionId
from tests import build
from tests.build import NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import committing, created, insist
from tests.shared.adapters.dynamodb.worlds import World

DUE = NOW + timedelta(seconds=30)
LEASED = DUE + timedelta(minutes=2)


def asked(world: World, *effects: Effect, session_id: str = "s1") -> tuple[PendingEffect, ...]:
    session = created(world, build.session(id=SessionId(session_id)))
    decision = Decision(effects=effects)
    return world.sessions.commit(committing(session, decision, frame=None)).effects


def test_nothing_is_due_while_the_committing_function_has_its_time(world: World):
    asked(world, StartLife(1, 1))

    assert world.effects.due(DUE - timedelta(microseconds=1), 10) == []


def test_every_kind_of_effect_comes_back_as_it_was_asked_for(world: World):
    effects = asked(
        world,
        StartLife(3, 2),
        CompleteTask("token", "ready"),
        ArmTimer(1, NOW + timedelta(minutes=10)),
    )

    due = world.effects.due(DUE, 10)

    assert sorted(due, key=lambda effect: effect.key) == list(effects)


def test_what_is_done_is_gone_and_may_be_done_again(world: World):
    first, second = asked(world, StartLife(1, 1), StartLife(1, 2))

    world.effects.done(first)
    world.effects.done(first)

    assert world.effects.due(DUE, 10) == [second]


def test_effects_of_all_sessions_are_due_oldest_first(world: World):
    everybody = [asked(world, StartLife(1, 1), session_id=f"s{n}")[0] for n in range(12)]
    (last,) = everybody[3:4]
    leased = world.effects.lease(last, DUE, LEASED)

    assert len(world.effects.due(DUE, 20)) == 11
    assert world.effects.due(LEASED, 20)[-1] == leased
    assert len(world.effects.due(LEASED, 5)) == 5


def test_a_lease_counts_the_try_and_hides_the_effect_until_it_runs_out(world: World):
    (effect,) = asked(world, StartLife(1, 1))

    leased = world.effects.lease(effect, DUE, LEASED)

    assert leased == replace(effect, due=LEASED, tries=1)
    assert world.effects.due(LEASED - timedelta(seconds=1), 10) == []
    assert world.effects.due(LEASED, 10) == [leased]


def test_of_two_sweeps_one_gets_the_effect(world: World):
    (effect,) = asked(world, StartLife(1, 1))

    first = world.effects.lease(effect, DUE, LEASED)
    second = world.effects.lease(effect, DUE, LEASED)

    assert first is not None
    assert second is None


def test_what_was_done_meanwhile_is_not_leased(world: World):
    (effect,) = asked(world, StartLife(1, 1))
    world.effects.done(effect)

    assert world.effects.lease(effect, DUE, LEASED) is None


def test_a_lost_answer_to_a_lease_never_makes_two_holders(world: World):
    (effect,) = asked(world, StartLife(1, 1))
    world.faults.plan(Fault.LOST)

    insist(lambda: world.effects.lease(effect, DUE, LEASED))

    assert world.effects.lease(effect, DUE, LEASED) is None
    assert [found.tries for found in world.effects.due(LEASED, 10)] == [1]


def test_a_failed_effect_keeps_why_and_is_due_again(world: World):
    (effect,) = asked(world, StartLife(1, 1))
    leased = world.effects.lease(effect, DUE, LEASED)
    assert leased is not None
    again = DUE + timedelta(minutes=1)

    world.effects.failed(leased, "no capacity", again)

    assert world.effects.due(again, 10) == [replace(leased, error="no capacity", due=again)]


def test_an_effect_that_is_given_up_is_never_due_nor_leased(world: World):
    (effect,) = asked(world, StartLife(1, 1))
    leased = world.effects.lease(effect, DUE, LEASED)
    assert leased is not None

    world.effects.failed(leased, "no such provider", None)

    much_later = NOW + timedelta(days=1)
    assert world.effects.due(much_later, 10) == []
    assert world.effects.lease(leased, much_later, much_later) is None


def test_the_failure_of_an_older_try_does_not_disturb_a_newer_one(world: World):
    (effect,) = asked(world, StartLife(1, 1))
    world.effects.lease(effect, DUE, LEASED)

    world.effects.failed(effect, "too late", None)

    assert [found.error for found in world.effects.due(LEASED, 10)] == [None]


def test_a_failure_does_not_bring_back_what_is_done(world: World):
    (effect,) = asked(world, StartLife(1, 1))
    world.effects.done(effect)

    world.effects.failed(effect, "too late", DUE)

    assert world.effects.due(LEASED, 10) == []
