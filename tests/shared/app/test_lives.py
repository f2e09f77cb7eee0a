"""The steps of the workflow adopt what exists and never destroy what has files."""

import json
from datetime import timedelta

import pytest

from shared.app import tokens
from shared.app.lives import Life
from shared.app.ports.sandboxes import SandboxGone, SandboxRefused, SandboxUnavailable
from shared.domain.session.commands import BecomeReady, Clock, Connect, FinishPrompt
from shared.domain.session.failures import Failure
from shared.domain.session.state import (
    PromptStatus,
    SandboxStatus,
    SessionId,
    SessionStatus,
    Wait,
)
from shared.domain.timeline import Frame
from shared.protocol.bridge import IDENTITY_PATH, Identity
from tests.world import World


def waiting(world: World) -> Life:
    """A session whose first prompt waits for its first attempt."""
    session_id = world.open_session()
    world.submit(session_id)
    return Life(session_id, 1)


def ready(world: World, life: Life) -> Life:
    world.lives.launch(life)
    world.app.sessions.handle(life.session_id, Connect(life.attempt))
    world.app.sessions.handle(life.session_id, BecomeReady(life.attempt))
    return life


def identity(world: World) -> Identity:
    """What the only sandbox there is was told."""
    return Identity.model_validate_json(world.machine().files[IDENTITY_PATH])


def test_a_launch_hands_over_an_identity_that_the_session_knows_only_as_a_hash():
    world = World()
    life = waiting(world)

    outcome = world.lives.launch(life)

    told = identity(world)
    attempt = world.app.sessions.load(life.session_id).attempt
    assert outcome == {"outcome": "launched", "seconds": 240}
    assert attempt is not None
    assert tokens.matches(told.token, attempt.token_hash)
    assert attempt.provider_id == world.machine().info.provider_id
    assert (told.session, told.attempt, told.resumed) == (life.session_id, 1, False)


def test_the_deployments_other_secrets_stay_here():
    world = World()
    world.secrets.values = {"E2B_API_KEY": "e2b-secret", "ANTHROPIC_API_KEY": "model-key"}
    life = waiting(world)

    world.lives.launch(life)

    environment = identity(world).environment
    assert environment["ANTHROPIC_API_KEY"] == "model-key"
    assert "e2b-secret" not in json.dumps(environment)


def test_a_repeated_launch_adopts_the_sandbox_and_locks_the_first_identity_out():
    world = World()
    life = waiting(world)
    world.lives.launch(life)
    first = identity(world)

    world.lives.launch(life)

    attempt = world.app.sessions.load(life.session_id).attempt
    assert attempt is not None
    assert len(world.sandboxes.machines) == 1
    assert not tokens.matches(first.token, attempt.token_hash)
    assert tokens.matches(identity(world).token, attempt.token_hash)


def test_a_launch_after_the_bridge_came_leaves_it_alone():
    world = World()
    life = ready(world, waiting(world))
    told = identity(world)

    assert world.lives.launch(life)["outcome"] == "launched"
    assert world.machine().boots == 1
    assert identity(world) == told


def test_a_life_that_runs_again_notices_that_its_sandbox_stands_still():
    world = World()
    life = ready(world, waiting(world))
    world.sandboxes.pause(world.machine().info.provider_id)

    outcome = world.lives.launch(life)

    record = world.app.store.prompt(life.session_id, 1)
    assert outcome["outcome"] == "failed"
    assert (record.error or "").startswith("the sandbox was stopped from outside: ")
    assert world.app.sessions.load(life.session_id).sandbox is SandboxStatus.STALE


def test_a_life_that_runs_again_notices_that_its_sandbox_is_gone():
    world = World()
    life = ready(world, waiting(world))
    world.sandboxes.kill(world.machine().info.provider_id)

    outcome = world.lives.launch(life)

    record = world.app.store.prompt(life.session_id, 1)
    assert outcome["outcome"] == "failed"
    assert (record.error or "").startswith("the sandbox does not exist any more")


def test_a_busy_provider_is_for_the_workflow_to_retry():
    world = World()
    life = waiting(world)
    world.sandboxes.fail_next(SandboxUnavailable("no capacity"))

    with pytest.raises(SandboxUnavailable):
        world.lives.launch(life)

    assert world.app.sessions.load(life.session_id).attempt is not None


def test_a_refusing_provider_fails_the_prompt_that_waited():
    world = World()
    life = waiting(world)
    world.sandboxes.fail_next(SandboxRefused("template not found"))

    outcome = world.lives.launch(life)

    session = world.app.sessions.load(life.session_id)
    record = world.app.store.prompt(life.session_id, 1)
    assert outcome["outcome"] == "failed"
    assert session.status is SessionStatus.FAILED
    assert session.sandbox is SandboxStatus.FAILED
    assert record.error is not None
    assert "template not found" in record.error


def test_what_never_got_ready_is_killed():
    world = World()
    life = waiting(world)
    world.lives.launch(life)
    world.lives.question(life, Wait.CONNECT, Clock.TIMEOUT)

    world.lives.preserve(life)
    world.lives.retire(life)

    session = world.app.sessions.load(life.session_id)
    assert world.sandboxes.machines == {}
    assert session.attempt is None
    assert not session.workspace.exists


def test_what_was_ready_is_paused_and_kept():
    world = World()
    life = ready(world, waiting(world))
    world.pass_time(timedelta(minutes=5))
    world.lives.question(life, Wait.SERVE, Clock.HEARTBEAT)

    world.lives.preserve(life)
    world.lives.retire(life)

    session = world.app.sessions.load(life.session_id)
    assert world.machine().info.state == "paused"
    assert session.workspace.provider_id == world.machine().info.provider_id
    assert session.sandbox is SandboxStatus.STALE


def stopped(world: World) -> SessionId:
    life = ready(world, waiting(world))
    world.pass_time(timedelta(minutes=5))
    world.lives.question(life, Wait.SERVE, Clock.HEARTBEAT)
    world.lives.preserve(life)
    world.lives.retire(life)
    return life.session_id


def test_the_next_prompt_resumes_the_same_sandbox_as_a_new_attempt():
    world = World()
    session_id = stopped(world)
    world.submit(session_id, request_id="p2")

    world.lives.launch(Life(session_id, 2))

    told = identity(world)
    assert world.machine().boots == 2
    assert (told.attempt, told.resumed) == (2, True)
    assert world.workflow.started[-1] == (session_id, 2, 1)


def test_a_failed_boot_of_a_resumed_sandbox_pauses_it_again():
    world = World()
    session_id = stopped(world)
    world.submit(session_id, request_id="p2")
    life = Life(session_id, 2)
    world.lives.launch(life)
    world.lives.question(life, Wait.CONNECT, Clock.TIMEOUT)

    world.lives.preserve(life)
    world.lives.retire(life)

    assert world.machine().info.state == "paused"
    assert (
        world.app.sessions.load(session_id).workspace.provider_id
        == world.machine().info.provider_id
    )


def test_a_sandbox_that_is_gone_with_every_copy_is_replaced_by_a_fresh_one():
    world = World()
    session_id = stopped(world)
    world.submit(session_id, request_id="p2")
    world.sandboxes.kill(world.machine().info.provider_id)
    world.sandboxes.copies.clear()

    outcome = world.lives.launch(Life(session_id, 2))

    told = identity(world)
    assert outcome["outcome"] == "launched"
    assert (told.boot, told.resumed) == ("fresh", False)


def lost(world: World) -> Life:
    """The second attempt of a session whose sandbox is gone, and of whose files there is a copy."""
    life = ready(world, waiting(world))
    done = FinishPrompt(attempt=1, prompt=1, status=PromptStatus.COMPLETED)
    world.app.sessions.handle(life.session_id, done)
    world.lives.preserve(life)
    world.lives.retire(life)
    world.sandboxes.kill(world.machine().info.provider_id)
    world.submit(life.session_id, request_id="p2")
    return Life(life.session_id, 2)


def test_a_sandbox_that_is_gone_is_made_anew_from_the_copy_of_its_files():
    world = World()
    life = lost(world)

    world.lives.launch(life)

    assert identity(world).boot == "restore"
    assert world.machine().snapshot in world.sandboxes.copies


@pytest.mark.parametrize("step", ["write_secret", "start"])
def test_a_new_sandbox_that_dies_at_once_says_nothing_about_the_copy_that_it_was_made_from(step):
    world = World()
    life = lost(world)
    copy = world.app.sessions.load(life.session_id).workspace.snapshot
    world.sandboxes.fail_next_of(step, SandboxGone("killed from outside"))

    outcome = world.lives.launch(life)

    session = world.app.sessions.load(life.session_id)
    assert outcome["outcome"] == "failed"
    assert session.workspace.snapshot == copy


def test_a_copy_that_is_gone_leaves_what_was_pushed():
    world = World()
    life = lost(world)
    world.sandboxes.copies.clear()

    world.lives.launch(life)

    assert identity(world).boot == "fresh"
    assert not world.app.sessions.load(life.session_id).workspace.exists


def test_waiting_after_the_fact_is_answered_at_once():
    world = World()
    life = ready(world, waiting(world))

    world.lives.wait(life, Wait.READY, "token-r")

    assert world.workflow.completed == {"token-r": "ready"}


def test_a_heartbeat_clock_that_ran_out_while_frames_come_lets_it_go_on():
    world = World()
    life = ready(world, waiting(world))
    frame_of(world, life)

    assert world.lives.question(life, Wait.SERVE, Clock.HEARTBEAT)["outcome"] == "go_on"


def frame_of(world: World, life: Life) -> None:

    frame = Frame("f1", ({"type": "text", "prompt": 1},), life.attempt)
    world.app.timeline.append(life.session_id, frame, after=0, now=world.now)


def test_preparing_tells_how_long_a_bridge_may_be_silent():
    world = World()
    life = waiting(world)

    prepared = world.lives.prepare(life)

    assert prepared == {"outcome": "launch", "heartbeatSeconds": 90, "seconds": 91}


def test_a_life_of_an_attempt_that_is_over_ends_at_once():
    world = World()
    session_id = stopped(world)

    assert world.lives.prepare(Life(session_id, 1))["outcome"] == "ended"


def test_a_providers_late_refusal_does_not_end_a_sandbox_that_works():
    world = World()
    life = ready(world, waiting(world))

    outcome = world.lives.launch_failed(life, "timed out", Failure.UNKNOWN)

    assert outcome["outcome"] == "launched"
    assert world.app.sessions.load(life.session_id).sandbox is SandboxStatus.READY


def test_an_attempt_is_over_before_anything_of_it_is_put_away():
    world = World()
    life = waiting(world)
    world.lives.launch(life)

    world.lives.preserve(life)

    session = world.app.sessions.load(life.session_id)
    assert session.sandbox is SandboxStatus.FAILED
    assert world.sandboxes.machines == {}
