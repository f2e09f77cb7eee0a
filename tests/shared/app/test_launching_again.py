"""A launch that runs again, because a function was killed or the workflow was: it adopts."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.app import tokens
from shared.app.launching import metadata
from shared.app.lives import Life
from shared.app.ports.sandboxes import SandboxGone, SandboxUnavailable
from shared.domain.session.commands import Clock, Connect, FilesGone, Launched, LaunchFailed
from shared.domain.session.failures import Failure
from shared.domain.session.sandbox import Boot, ProviderId, SandboxStatus, Wait
from tests import build
from tests.shared.app.stories import (
    attempt_of,
    calls,
    come_up,
    end,
    identity_in,
    machine_of,
    next_prompt,
    put_away,
    running,
    session_of,
    waiting,
)
from tests.world import World

LOST = SandboxUnavailable("no answer came")


def test_a_repeated_launch_adopts_the_sandbox_and_locks_the_first_identity_out():
    world = World()
    life = waiting(world)
    world.lives.launch(life)
    first = identity_in(world.machine())

    world.lives.launch(life)

    attempt = attempt_of(world, life)
    assert len(world.sandboxes.machines) == 1
    assert not tokens.matches(first.token, attempt.token_hash)
    assert tokens.matches(identity_in(world.machine()).token, attempt.token_hash)


def test_a_creation_whose_answer_was_lost_is_adopted():
    world = World()
    life = waiting(world)
    world.sandboxes.lose_next_answer_of("create", LOST)

    with pytest.raises(SandboxUnavailable):
        world.lives.launch(life)
    world.lives.launch(life)

    assert calls(world, "create", "resume") == ["create", "resume"]
    assert attempt_of(world, life).provider_id == world.machine().info.provider_id


@pytest.mark.parametrize("called", ["find", "create", "write_secret", "start"])
@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
def test_a_function_that_dies_at_any_call_is_followed_by_one_that_finds_one_sandbox(
    called: str,
    done: bool,
):
    world = World()
    life = waiting(world)
    die_at(world, called, done=done)

    with pytest.raises(SandboxUnavailable):
        world.lives.launch(life)
    answer = world.lives.launch(life)

    assert answer["outcome"] == "launched"
    assert len(world.sandboxes.machines) == 1
    assert tokens.matches(identity_in(world.machine()).token, attempt_of(world, life).token_hash)
    assert world.machine().started


def die_at(world: World, called: str, *, done: bool) -> None:
    if done:
        world.sandboxes.lose_next_answer_of(called, LOST)
    else:
        world.sandboxes.fail_next_of(called, LOST)


@pytest.mark.parametrize("called", ["resume", "write_secret", "start"])
@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
def test_a_wake_up_that_is_interrupted_goes_on_with_the_same_files(
    called: str,
    done: bool,
):
    world = World()
    life = next_prompt(world, put_away(world))
    die_at(world, called, done=done)

    with pytest.raises(SandboxUnavailable):
        world.lives.launch(life)
    world.lives.launch(life)

    assert calls(world, "create") == ["create"]
    assert world.machine().boots == 2
    assert world.machine().files["/workspace/tool/1"] == b"work"
    assert attempt_of(world, life).boot is Boot.RESUME


def test_what_was_begun_from_something_else_is_not_adopted():
    """A restore must not go on in the fresh sandbox of the same attempt, nor the other way."""
    world = World()
    session_id = put_away(world)
    world.sandboxes.kill(world.machine().info.provider_id)
    life = next_prompt(world, session_id)
    fresh = replace(attempt_of(world, life), boot=Boot.FRESH)
    left = world.sandboxes.create(
        key="left",
        metadata=metadata("outboard-sessions", session_id, fresh),
        environment={},
        timeout=timedelta(hours=1),
    )

    world.lives.launch(life)

    assert attempt_of(world, life).provider_id != left.provider_id
    assert machine_of(world, life).files["/workspace/tool/1"] == b"work"


def test_an_image_that_comes_between_two_lives_makes_no_second_sandbox():
    world = World()
    life = waiting(world)
    world.lives.prepare(life)
    world.lives.launch(life)
    world.images.register((build.repository(),), "team/tool:1")

    world.lives.prepare(life)
    world.lives.launch(life)

    assert len(world.sandboxes.machines) == 1
    assert attempt_of(world, life).boot is Boot.FRESH


def test_what_another_attempt_or_deployment_has_left_is_not_adopted():
    world = World()
    life = waiting(world)
    attempt = attempt_of(world, life)
    for deployment, number in (("another", 1), ("outboard-sessions", 7)):
        world.sandboxes.create(
            key=f"{deployment}-{number}",
            metadata=metadata(deployment, life.session_id, replace(attempt, number=number)),
            environment={},
            timeout=timedelta(hours=1),
        )

    world.lives.launch(life)

    assert calls(world, "create") == ["create"] * 3
    assert attempt_of(world, life).provider_id == "fake-3"


def test_a_leftover_that_the_provider_has_paused_is_woken():
    world = World()
    life = waiting(world)
    world.lives.launch(life)
    world.sandboxes.pause(world.machine().info.provider_id)

    world.lives.launch(life)

    assert world.machine().info.state == "running"
    assert world.machine().boots == 2


def test_a_copy_is_not_given_up_because_the_sandbox_made_of_it_is_gone():
    """What is gone for certain is the new sandbox; the copy may be all that is left."""
    world = World()
    session_id = put_away(world)
    copy = world.app.sessions.load(session_id).workspace.snapshot
    world.sandboxes.kill(world.machine().info.provider_id)
    life = next_prompt(world, session_id)
    world.sandboxes.lose_next_answer_of("create", LOST)
    with pytest.raises(SandboxUnavailable):
        world.lives.launch(life)
    world.sandboxes.machines.clear()

    answer = world.lives.launch(life)
    end(world, life)
    again = next_prompt(world, session_id)
    world.lives.launch(again)

    assert answer["outcome"] == "failed"
    assert world.app.sessions.load(session_id).workspace.snapshot == copy
    assert identity_in(machine_of(world, again)).boot == "restore"
    assert machine_of(world, again).files["/workspace/tool/1"] == b"work"


@pytest.mark.parametrize("step", ["write_secret", "start"])
def test_a_new_sandbox_that_dies_at_once_says_nothing_about_its_copy(step: str):
    world = World()
    session_id = put_away(world)
    copy = world.app.sessions.load(session_id).workspace.snapshot
    world.sandboxes.kill(world.machine().info.provider_id)
    life = next_prompt(world, session_id)
    world.sandboxes.fail_next_of(step, SandboxGone("killed from outside"))

    answer = world.lives.launch(life)

    assert answer["outcome"] == "failed"
    assert session_of(world, life).workspace.snapshot == copy


def test_a_fresh_sandbox_that_is_gone_again_fails_and_the_next_attempt_makes_another():
    world = World()
    life = waiting(world)
    world.lives.launch(life)
    world.sandboxes.machines.clear()

    answer = world.lives.launch(life)
    end(world, life)
    again = next_prompt(world, life.session_id)
    world.lives.launch(again)

    assert answer["outcome"] == "failed"
    assert "gone as soon as it was made" in (session_of(world, again).error or "")
    assert len(world.sandboxes.machines) == 1


def test_what_is_gone_is_said_once_however_often():
    world = World()
    life = next_prompt(world, put_away(world))
    for _ in range(2):
        world.app.sessions.handle(life.session_id, FilesGone(life.attempt, Boot.RESUME))

    assert attempt_of(world, life).boot is Boot.RESTORE


# Once the bridge is there.


def test_a_launch_after_the_bridge_came_leaves_it_alone():
    world = World()
    life = running(world)
    told = identity_in(world.machine())

    answer = world.lives.launch(life)

    assert answer["outcome"] == "launched"
    assert world.machine().boots == 1
    assert identity_in(world.machine()) == told
    assert calls(world, "create", "start") == ["create", "start"]


def test_a_life_that_runs_again_notices_that_its_sandbox_stands_still():
    world = World()
    life = running(world)
    world.sandboxes.pause(world.machine().info.provider_id)

    answer = world.lives.launch(life)

    record = world.app.store.prompt(life.session_id, 1)
    assert answer["outcome"] == "failed"
    assert (record.error or "").startswith("the sandbox was stopped from outside")
    assert session_of(world, life).sandbox is SandboxStatus.STALE


def test_boots_that_are_cut_off_from_outside_put_the_next_one_off_by_nothing():
    """A machine that is switched off again and again, say."""
    world = World()
    life = waiting(world)
    for _ in range(3):
        world.lives.launch(life)
        world.app.sessions.handle(life.session_id, Connect(life.attempt, 0))
        world.sandboxes.pause(machine_of(world, life).info.provider_id)
        world.lives.launch(life)
        end(world, life)
        life = next_prompt(world, life.session_id)

    session = session_of(world, life)
    assert (session.retry_at, session.failures) == (None, ())
    assert session.attempts == 4


def test_what_was_stopped_from_outside_keeps_its_files_and_wakes_for_the_next_prompt():
    world = World()
    life = running(world)
    world.sandboxes.pause(world.machine().info.provider_id)
    world.lives.launch(life)
    end(world, life)

    again = next_prompt(world, life.session_id)
    world.lives.launch(again)

    assert len(world.sandboxes.machines) == 1
    assert identity_in(world.machine()).boot == "resume"


def test_a_life_that_runs_again_notices_that_its_sandbox_is_gone():
    world = World()
    life = running(world)
    world.sandboxes.machines.clear()

    answer = world.lives.launch(life)

    record = world.app.store.prompt(life.session_id, 1)
    assert answer["outcome"] == "failed"
    assert (record.error or "").startswith("the sandbox does not exist any more")
    assert not session_of(world, life).workspace.exists


def test_a_bridge_that_is_there_is_believed_although_nobody_knows_its_sandbox():
    """Its socket says that it lives; a listing that knows nothing of it is no proof."""
    world = World()
    life = waiting(world)
    come_up(world, life)

    answer = world.lives.launch(life)

    assert answer["outcome"] == "launched"
    assert calls(world, "create") == []


def test_a_sandbox_whose_name_was_lost_is_found_by_whose_it_is():
    world = World()
    life = waiting(world)
    world.sandboxes.create(
        key="left",
        metadata=metadata("outboard-sessions", life.session_id, attempt_of(world, life)),
        environment={},
        timeout=timedelta(hours=1),
    )
    come_up(world, life)

    world.lives.launch(life)

    attempt = attempt_of(world, life)
    assert attempt.provider_id == world.machine().info.provider_id
    assert attempt.expires_at == world.machine().info.ends_at
    assert session_of(world, life).running is not None


def test_an_end_that_nobody_knew_is_asked_for_again_with_each_question():
    world = World()
    life = waiting(world)
    forget_end(world, life)
    held = session_of(world, life).running
    known = replace(world.machine().info, ends_at=world.now + timedelta(hours=1))
    world.machine().info = known

    world.lives.question(life, Wait.SERVE, Clock.TIMEOUT)

    assert held is None
    assert attempt_of(world, life).expires_at == world.now + timedelta(hours=1)
    assert session_of(world, life).running is not None


def forget_end(world: World, life: Life) -> None:
    """The provider has said that it runs, but not for how long."""
    world.lives.launch(life)
    box = ProviderId(world.machine().info.provider_id)
    world.app.sessions.handle(life.session_id, Launched(life.attempt, box, None))
    come_up(world, life)


def test_a_provider_that_does_not_answer_keeps_no_question_waiting():
    world = World()
    life = waiting(world)
    forget_end(world, life)
    world.pass_time(timedelta(minutes=5))
    world.sandboxes.fail_next_of("info", LOST)

    answer = world.lives.question(life, Wait.SERVE, Clock.HEARTBEAT)

    assert answer["outcome"] == "ended"


def test_a_known_end_costs_no_call_to_the_provider():
    world = World()
    life = running(world)
    world.sandboxes.calls.clear()

    world.lives.question(life, Wait.SERVE, Clock.TIMEOUT)

    assert world.sandboxes.calls == []


def test_what_fails_late_does_not_end_a_sandbox_that_works():
    world = World()
    life = running(world)

    answer = world.lives.launch_failed(life, "timed out", Failure.UNKNOWN)
    world.app.sessions.handle(life.session_id, LaunchFailed(1, "late"))

    assert answer["outcome"] == "launched"
    assert session_of(world, life).sandbox is SandboxStatus.READY
