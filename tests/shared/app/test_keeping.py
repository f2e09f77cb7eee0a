"""A session's files are copied between turns: at most one for each turn, and never at its cost."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.app.ports.sandboxes import (
    SandboxGone,
    SandboxLimited,
    SandboxRefused,
    SandboxUnavailable,
)
from shared.domain.session.commands import Cancel, SaveFiles
from shared.domain.session.sandbox import ProviderId, SandboxStatus, Workspace
from shared.domain.session.state import SessionId, UserId
from tests.shared.app.stories import (
    attempt_of,
    calls,
    come_up,
    end,
    fall_asleep,
    finish,
    next_prompt,
    put_away,
    running,
    saving,
    serving,
    session_of,
)
from tests.world import World

LOST = SandboxUnavailable("no answer came")
WORK = "/workspace/tool/1"
LATER = timedelta(minutes=6)


def first_copy(session_id: SessionId) -> str:
    return f"fake/outboard-outboard-sessions-{session_id}-1-1-1:default"


def told(world: World, session_id: SessionId) -> list[str]:
    entries = world.app.timeline.after(session_id, 0, limit=200)
    events = [event for entry in entries for event in entry.frame.events]
    return [event["message"] for event in events if event["type"] == "warning"]


def test_a_copy_is_stamped_with_the_turn_that_is_in_it():
    world = World()
    life = saving(world)

    answer = world.lives.checkpoint(life)

    copy = session_of(world, life).workspace.snapshot
    assert copy is not None
    assert (copy.id, copy.turn, copy.at) == (first_copy(life.session_id), 1, world.now)
    assert copy.marker == session_of(world, life).workspace.marker == 1
    assert world.sandboxes.copies[copy.id][WORK] == b"work"
    assert answer["outcome"] == "go_on"
    assert session_of(world, life).sandbox is SandboxStatus.READY


def test_an_identity_is_in_no_copy():
    world = World()
    life = serving(world)

    (copy,) = world.sandboxes.copies.values()

    assert set(copy) == {WORK}
    assert session_of(world, life).workspace.snapshot is not None


def test_a_function_that_dies_after_the_copy_leaves_one_that_the_next_one_claims():
    world = World()
    life = saving(world)
    world.sandboxes.snapshot("fake-1", first_copy(life.session_id)[5:-8])

    world.lives.checkpoint(life)

    copy = session_of(world, life).workspace.snapshot
    assert list(world.sandboxes.copies) == [first_copy(life.session_id)]
    assert copy is not None


def test_a_copy_whose_answer_was_lost_is_found_by_its_name():
    world = World()
    life = saving(world)
    world.sandboxes.lose_next_answer_of("snapshot", LOST)

    world.lives.checkpoint(life)

    copy = session_of(world, life).workspace.snapshot
    assert copy is not None
    assert copy.id == first_copy(life.session_id)
    assert calls(world, "snapshot", "find_snapshot") == ["snapshot", "find_snapshot"]
    assert told(world, life.session_id) == []


@pytest.mark.parametrize(
    "error",
    [LOST, SandboxLimited("too many"), SandboxRefused("it is paused"), SandboxGone("no sandbox")],
    ids=["lost", "limited", "refused", "gone"],
)
def test_a_copy_that_fails_is_a_warning_and_prompts_go_on(error: Exception):
    world = World()
    life = saving(world)
    world.submit(life.session_id, request_id="p2")
    world.sandboxes.fail_next_of("snapshot", error)

    answer = world.lives.checkpoint(life)

    session = session_of(world, life)
    assert answer["outcome"] == "go_on"
    assert session.running is not None
    assert session.running.prompt.number == 2
    assert session.workspace.snapshot is None
    assert told(world, life.session_id) == [f"no copy of the files was made: {error}"]
    assert world.app.store.prompt(life.session_id, 1).status == "completed"


def test_a_failure_to_look_is_a_warning_as_well():
    world = World()
    life = saving(world)
    world.sandboxes.fail_next_of("snapshot", LOST)
    world.sandboxes.fail_next_of("find_snapshot", SandboxUnavailable("busy"))

    answer = world.lives.checkpoint(life)

    assert answer["outcome"] == "go_on"
    assert attempt_of(world, life).save_error == "no copy of the files was made: busy"


def test_what_failed_between_turns_is_made_up_for_when_the_sandbox_is_put_away():
    world = World()
    life = saving(world)
    world.sandboxes.fail_next_of("snapshot", LOST)
    world.lives.checkpoint(life)
    fall_asleep(world, life)

    end(world, life)

    copy = session_of(world, life).workspace.snapshot
    assert copy is not None
    assert copy.turn == 1


def second_turn(world: World) -> None:
    life = serving(world)
    world.pass_time(LATER)
    next_prompt(world, life.session_id)
    finish(world, life)
    world.lives.checkpoint(life)


def test_the_copy_before_is_forgotten_once_there_is_a_newer_one():
    world = World()

    second_turn(world)

    (name,) = world.sandboxes.copies
    assert name.endswith("-1-2-2:default")


def test_a_copy_that_cannot_be_forgotten_now_spoils_nothing():
    world = World()
    life = serving(world)
    world.pass_time(LATER)
    next_prompt(world, life.session_id)
    finish(world, life)
    world.sandboxes.fail_next_of("forget_snapshot", LOST)

    answer = world.lives.checkpoint(life)

    copy = session_of(world, life).workspace.snapshot
    assert answer["outcome"] == "go_on"
    assert copy is not None
    assert copy.turn == 2
    assert len(world.sandboxes.copies) == 2


def test_the_copy_that_a_sandbox_was_made_from_is_kept_as_long_as_it_is_the_sessions():
    """A provider may need it to wake the sandbox again."""
    world = World()
    session_id = put_away(world)
    base = world.app.sessions.load(session_id).workspace.snapshot
    world.sandboxes.kill(world.machine().info.provider_id)
    life = next_prompt(world, session_id)
    world.lives.launch(life)
    come_up(world, life, marker=1)
    world.pass_time(LATER)
    finish(world, life)

    world.lives.checkpoint(life)

    newer = session_of(world, life).workspace.snapshot
    assert base is not None
    assert newer is not None
    assert set(world.sandboxes.copies) == {base.id, newer.id}


def test_a_copy_that_somebody_asks_for_again_in_the_same_turn_takes_the_place_of_the_one_before():
    world = World()
    life = serving(world)
    first = session_of(world, life).workspace.snapshot
    world.app.sessions.handle(life.session_id, SaveFiles(UserId("ada")))

    answer = world.lives.checkpoint(life)

    copy = session_of(world, life).workspace.snapshot
    assert answer["outcome"] == "go_on"
    assert copy is not None
    assert copy != first
    assert list(world.sandboxes.copies) == [copy.id]
    assert calls(world, "snapshot", "forget_snapshot") == [*["snapshot"] * 2, "forget_snapshot"]


def test_a_copy_of_an_attempt_that_has_ended_meanwhile_is_the_sessions():
    world = World()
    life = saving(world)
    session, attempt = session_of(world, life), attempt_of(world, life)
    world.app.sessions.handle(life.session_id, Cancel(UserId("ada")))

    world.lives.keeper.save(session, attempt, ProviderId("fake-1"))

    copy = session_of(world, life).workspace.snapshot
    assert copy is not None
    assert list(world.sandboxes.copies) == [copy.id]


def test_a_copy_that_comes_when_its_attempt_is_long_over_is_forgotten_at_once():
    world = World()
    life = saving(world)
    session, attempt = session_of(world, life), attempt_of(world, life)
    world.lives.checkpoint_failed(life)
    second = next_prompt(world, life.session_id)
    finish(world, second)
    fall_asleep(world, second)
    end(world, second)
    world.sandboxes.resume("fake-1", timeout=timedelta(hours=1))

    world.lives.keeper.save(session, attempt, ProviderId("fake-1"))

    kept = session_of(world, life).workspace.snapshot
    assert kept is not None
    assert kept.turn == 2
    assert list(world.sandboxes.copies) == [kept.id]


def test_without_a_copy_to_make_a_checkpoint_only_says_what_is():
    world = World()
    life = running(world)

    answer = world.lives.checkpoint(life)

    assert answer["outcome"] == "go_on"
    assert calls(world, "snapshot") == []


def test_a_checkpoint_of_an_attempt_that_is_over_leads_out():
    world = World()
    life = saving(world)
    world.app.sessions.handle(life.session_id, Cancel(UserId("ada")))
    end(world, life)

    assert world.lives.checkpoint(life)["outcome"] == "ended"


def test_a_checkpoint_that_is_cut_off_is_a_warning():
    world = World()
    life = saving(world)

    answer = world.lives.checkpoint_failed(life)

    assert answer["outcome"] == "go_on"
    assert told(world, life.session_id) == ["no copy of the files was made: it was cut off"]
    assert session_of(world, life).sandbox is SandboxStatus.READY


def test_a_checkpoint_that_does_not_know_the_sandbox_does_not_turn_in_circles():
    world = World()
    life = saving(world)
    partition = world.memory.partitions[life.session_id]
    partition.session = replace(partition.session, workspace=Workspace(turn=1))

    answer = world.lives.checkpoint(life)

    assert answer["outcome"] == "go_on"
    assert not attempt_of(world, life).saving
