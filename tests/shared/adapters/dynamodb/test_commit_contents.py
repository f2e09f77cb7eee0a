"""What a commit stores beside the session and the frame, in the fake and in DynamoDB alike."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.app.ports.connections import BridgeLink
from shared.app.ports.sessions import (
    PendingEffect,
    Request,
    VersionConflict,
)
from shared.domain.session.commands import (
    BecomeReady,
    Cancel,
    FinishPrompt,
    GiveUp,
    Launched,
    Launching,
    Retire,
    Stop,
)
from shared.domain.session.decision import CompleteTask, Decision, StartLife
from shared.domain.session.facts import AttemptEnding, TaskArmed
from shared.domain.session.sandbox import Armed, Ending, ProviderId, SandboxStatus, Wait
from shared.domain.session.state import (
    MAX_UNFINISHED_PROMPTS,
    PromptStatus,
    SessionId,
    SessionStatus,
)
from shared.domain.tokens import Tokens
from tests import build
from tests.build import ADA, NOW
from tests.shared.adapters.dynamodb.committing import (
    committing,
    created,
    perform,
    stating,
    submit,
    titled,
)
from tests.shared.adapters.dynamodb.worlds import World

S = SessionId("s1")
LATER = NOW + timedelta(minutes=1)


def test_effects_are_stored_with_what_they_follow_from(world: World):
    created(world)

    committed = perform(world, submit(), S)

    effect = PendingEffect(S, "1.0", StartLife(1, 1), NOW + timedelta(seconds=30))
    assert committed.effects == (effect,)
    assert world.effects.due(LATER, 10) == [effect]


def test_effects_of_a_refused_commit_do_not_exist(world: World):
    before = created(world)
    world.sessions.commit(titled(before, "one"))
    decision = Decision(effects=(CompleteTask("token", "ended"),))

    with pytest.raises(VersionConflict):
        world.sessions.commit(committing(before, decision, frame=None))

    assert world.effects.due(LATER, 10) == []


def test_a_whole_life_comes_back_as_it_was_committed(world: World):
    created(world)
    expires = NOW + timedelta(hours=1, microseconds=7)
    commands = (
        submit("first"),
        Launching(1, "hash", "key"),
        Launched(1, ProviderId("box"), expires),
        BecomeReady(1),
        submit("second"),
        Stop(ADA.user),
        FinishPrompt(attempt=1, prompt=1, status=PromptStatus.STOPPED, cost=0.1),
        FinishPrompt(attempt=1, prompt=2, status=PromptStatus.COMPLETED, cost=0.2),
    )

    for command in commands:
        before = world.sessions.load(S)
        perform(world, command, S, now=LATER)
        assert world.sessions.load(S).version == before.version + 1

    session = world.sessions.load(S)
    assert session.attempt is not None
    assert session.attempt.expires_at == expires
    assert session.status is SessionStatus.COMPLETED
    assert session.sandbox is SandboxStatus.SNAPSHOTTING
    assert (session.running, session.queue, session.updated_at) == (None, (), LATER)


def test_the_records_of_prompts_follow_what_becomes_of_them(world: World):
    created(world)
    perform(world, submit("first"), S)
    perform(world, submit("second"), S)
    perform(world, Launched(1, ProviderId("box"), LATER + timedelta(hours=1)), S)
    perform(world, BecomeReady(1), S)
    running = world.sessions.prompt(S, 1)
    done = FinishPrompt(
        attempt=1,
        prompt=1,
        status=PromptStatus.COMPLETED,
        branch="outboard/s1",
        commit="abc",
        cost=0.25,
        tokens=Tokens(input=5, output=2),
    )

    perform(world, done, S, now=LATER)

    first = world.sessions.prompt(S, 1)
    assert running.status is PromptStatus.RUNNING
    assert first == replace(
        running,
        status=PromptStatus.COMPLETED,
        finished_at=LATER,
        branch="outboard/s1",
        commit="abc",
        cost=0.25,
        tokens=Tokens(input=5, output=2),
    )
    assert world.sessions.prompt(S, 2).status is PromptStatus.RUNNING


def test_cancelling_closes_a_full_queue_in_one_transaction(world: World):
    created(world)
    for _ in range(MAX_UNFINISHED_PROMPTS):
        perform(world, submit(), S, frame=None)

    perform(world, Cancel(ADA.user), S, now=LATER, request=Request("r", "print"))

    records = world.sessions.prompts(S, after=0, limit=100)
    assert {record.status for record in records} == {PromptStatus.CANCELLED}
    assert len(records) == MAX_UNFINISHED_PROMPTS
    assert world.sessions.load(S).unfinished == 0


def test_the_bridge_is_forgotten_by_the_commit_that_ends_its_attempt(world: World):
    session = created(world, build.session(attempt=build.attempt(1), attempts=1))
    world.connections.attach(S, BridgeLink("c1", 1, "key"))

    world.sessions.commit(stating(session, AttemptEnding(Ending.INACTIVE)))

    assert world.connections.audience(S).bridge is None


def test_the_bridge_stays_for_every_other_commit(world: World):
    session = created(world, build.session(attempt=build.attempt(1), attempts=1))
    link = BridgeLink("c1", 1, "key")
    world.connections.attach(S, link)

    world.sessions.commit(stating(session, TaskArmed(Armed(Wait.SERVE, "token"))))

    assert world.connections.audience(S).bridge == link


def test_one_commit_may_retire_an_attempt_and_start_the_next(world: World):
    created(world)
    box = Launched(1, ProviderId("box"), None)
    for command in (submit(), box, BecomeReady(1), submit(), GiveUp(1, "lost its harness")):
        perform(world, command, S)

    perform(world, Retire(1, ProviderId("box")), S)

    attempt = world.sessions.load(S).attempt
    assert attempt is not None
    assert (attempt.number, attempt.resumed) == (2, True)
