"""Copies of a session's files: when the workflow makes one, and what may go wrong with that."""

from dataclasses import replace
from datetime import timedelta

from shared.app.lives import Life
from shared.app.ports.sandboxes import SandboxUnavailable
from shared.domain.session.commands import (
    BecomeReady,
    Clock,
    Connect,
    FinishPrompt,
    Stop,
)
from shared.domain.session.sandbox import SandboxStatus, Wait, Workspace
from shared.domain.session.state import PromptStatus, Session, UserId
from tests.world import World

FILE = "/workspace/tool/half-done"


def saving(world: World) -> Life:
    """The first prompt is done, and its files are about to be copied."""
    session_id = world.open_session()
    world.submit(session_id)
    life = Life(session_id, 1)
    world.lives.launch(life)
    world.app.sessions.handle(session_id, Connect(1, 0))
    world.app.sessions.handle(session_id, BecomeReady(1))
    done = FinishPrompt(attempt=1, prompt=1, status=PromptStatus.COMPLETED)
    world.app.sessions.handle(session_id, done)
    return life


def session_of(world: World, life: Life) -> Session:
    return world.app.sessions.load(life.session_id)


def test_between_turns_a_copy_is_made_and_prompts_go_on():
    world = World()
    life = saving(world)

    answer = world.lives.checkpoint(life)

    session = session_of(world, life)
    assert answer["outcome"] == "go_on"
    assert session.sandbox is SandboxStatus.READY
    assert session.workspace.snapshot is not None
    assert session.workspace.snapshot.id in world.sandboxes.copies


def test_a_copy_that_fails_is_a_warning():
    world = World()
    life = saving(world)
    world.sandboxes.fail_next_of("snapshot", SandboxUnavailable("busy"))

    answer = world.lives.checkpoint(life)

    session = session_of(world, life)
    assert answer["outcome"] == "go_on"
    assert session.workspace.snapshot is None
    assert session.attempt is not None
    assert session.attempt.save_error is not None


def test_a_copy_whose_answer_was_lost_is_found():
    world = World()
    life = saving(world)
    world.sandboxes.lose_next_answer(SandboxUnavailable("no answer"))

    world.lives.checkpoint(life)

    assert session_of(world, life).workspace.snapshot is not None


def test_files_that_are_nowhere_to_be_copied_from_are_not_asked_for_again_at_once():
    world = World()
    life = saving(world)
    kept = world.memory.partitions[life.session_id]
    kept.session = replace(kept.session, workspace=Workspace())

    assert world.lives.checkpoint(life)["outcome"] == "go_on"


def test_what_a_turn_left_that_did_not_stop_is_copied_although_the_turn_before_it_was():
    world = World()
    life = saving(world)
    world.lives.checkpoint(life)
    world.submit(life.session_id, request_id="p2")
    world.machine().files[FILE] = b"half"
    world.app.sessions.handle(life.session_id, Stop(UserId("ada")))
    world.pass_time(timedelta(seconds=16))
    world.lives.question(life, Wait.STOP, Clock.TIMEOUT)

    world.lives.preserve(life)

    session = session_of(world, life)
    assert session.sandbox is SandboxStatus.STALE
    assert session.workspace.snapshot is not None
    assert FILE in world.sandboxes.copies[session.workspace.snapshot.id]
