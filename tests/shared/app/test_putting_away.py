"""The end of an attempt: its files are made safe first, and only what is nobody's is killed."""

from dataclasses import replace
from datetime import timedelta
from itertools import product

import pytest

from shared.app.lives import Life
from shared.app.ports.sandboxes import SandboxGone, SandboxUnavailable
from shared.domain.session.commands import Cancel, Choose, Clock, Connect, GiveUp, Poke
from shared.domain.session.failures import Failure
from shared.domain.session.sandbox import Boot, Ending, SandboxStatus, Wait
from shared.domain.session.state import PromptStatus, SessionId, UserId
from tests import build
from tests.shared.app.stories import (
    attempt_of,
    calls,
    come_up,
    end,
    fall_asleep,
    finish,
    identity_in,
    machine_of,
    next_prompt,
    put_away,
    running,
    saving,
    serving,
    session_of,
    waiting,
)
from tests.world import World

LOST = SandboxUnavailable("no answer came")
WORK = "/workspace/tool/1"
IMAGE = "team/tool:1"


def cancelled(world: World, life: Life) -> None:
    world.app.sessions.handle(life.session_id, Cancel(UserId("ada")))


def test_what_has_no_copy_yet_is_copied_and_then_paused():
    world = World()
    life = running(world)
    finish(world, life, PromptStatus.FAILED)
    cancelled(world, life)

    end(world, life)

    session = session_of(world, life)
    assert calls(world, "snapshot", "pause", "kill") == ["snapshot", "pause"]
    assert session.workspace.snapshot is not None
    assert session.workspace.provider_id == world.machine().info.provider_id
    assert world.machine().info.state == "paused"
    assert world.machine().files == {WORK: b"work"}


def test_what_is_copied_already_is_only_paused():
    world = World()
    life = serving(world)
    fall_asleep(world, life)

    end(world, life)

    assert calls(world, "snapshot", "pause", "kill") == ["snapshot", "pause"]
    assert session_of(world, life).sandbox is SandboxStatus.STOPPED


def went_silent(world: World, life: Life) -> None:
    world.pass_time(timedelta(minutes=2))
    world.lives.question(life, Wait.SERVE, Clock.HEARTBEAT)


def test_a_turn_that_was_cut_off_is_copied_as_well():
    world = World()
    life = running(world)
    world.machine().files[WORK] = b"half of it"
    went_silent(world, life)

    end(world, life)

    copy = session_of(world, life).workspace.snapshot
    assert copy is not None
    assert world.sandboxes.copies == {copy.id: {WORK: b"half of it"}}
    assert world.machine().info.state == "paused"


@pytest.mark.parametrize("fails", [False, True], ids=["made", "not made"])
def test_the_copy_of_whole_turns_stays_until_there_is_one_of_the_turn_that_was_cut_off(
    fails: bool,
):
    world = World()
    life = serving(world)
    whole = session_of(world, life).workspace.snapshot
    next_prompt(world, life.session_id)
    went_silent(world, life)
    if fails:
        world.sandboxes.fail_next_of("snapshot", LOST)

    end(world, life)

    after = session_of(world, life).workspace.snapshot
    assert whole is not None
    assert after is not None
    assert (after == whole) is fails
    assert list(world.sandboxes.copies) == [after.id]


def test_a_sandbox_that_nobody_has_asked_anything_is_not_copied():
    world = World()
    life = warmed(world)
    went_silent(world, life)

    end(world, life)

    assert calls(world, "snapshot", "pause") == ["pause"]


def test_a_copy_that_fails_keeps_nobody_from_pausing():
    world = World()
    life = saving(world)
    cancelled(world, life)
    world.sandboxes.fail_next_of("snapshot", LOST)

    end(world, life)

    assert world.machine().info.state == "paused"
    assert session_of(world, life).workspace.provider_id is not None


def test_a_provider_that_cannot_look_now_makes_no_copy_but_pauses():
    world = World()
    life = saving(world)
    cancelled(world, life)
    world.sandboxes.fail_next_of("info", LOST)

    end(world, life)

    assert calls(world, "snapshot", "pause") == ["pause"]
    assert world.machine().info.state == "paused"


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
def test_a_pause_whose_outcome_is_unknown_is_tried_again_and_destroys_nothing(
    done: bool,
):
    world = World()
    life = saving(world)
    cancelled(world, life)
    lose = world.sandboxes.lose_next_answer_of if done else world.sandboxes.fail_next_of
    lose("pause", LOST)

    with pytest.raises(SandboxUnavailable):
        world.lives.preserve(life)
    between = session_of(world, life)
    end(world, life)

    assert between.attempt is not None
    assert calls(world, "snapshot", "pause", "kill") == ["snapshot", "pause", "pause"]
    assert world.machine().info.state == "paused"
    assert session_of(world, life).attempt is None


def test_what_the_provider_has_paused_already_is_not_woken_to_be_copied():
    world = World()
    life = saving(world)
    cancelled(world, life)
    world.sandboxes.pause(world.machine().info.provider_id)

    end(world, life)

    assert calls(world, "snapshot", "resume") == []
    assert world.machine().boots == 1
    assert session_of(world, life).workspace.provider_id == world.machine().info.provider_id


def test_what_is_gone_is_not_waited_for_and_the_next_prompt_takes_the_copy():
    world = World()
    life = serving(world)
    fall_asleep(world, life)
    world.sandboxes.machines.clear()
    end(world, life)

    again = next_prompt(world, life.session_id)
    world.lives.launch(again)

    assert identity_in(world.machine()).boot == "restore"
    assert world.machine().files[WORK] == b"work"


def test_an_attempt_is_over_before_anything_of_it_is_put_away():
    """Its token is dead by then: nobody can work where a copy is being made."""
    world = World()
    life = running(world)

    world.lives.preserve(life)

    attempt = attempt_of(world, life)
    assert attempt.ending is Ending.STALE
    assert attempt.token_hash is None
    assert session_of(world, life).running is None


# Boots that failed.


def never_came(world: World, life: Life) -> None:
    world.lives.question(life, Wait.CONNECT, Clock.TIMEOUT)


def test_a_fresh_one_that_never_got_ready_is_killed():
    world = World()
    life = waiting(world)
    world.lives.launch(life)
    never_came(world, life)

    end(world, life)

    assert world.sandboxes.machines == {}
    assert not session_of(world, life).workspace.exists


def test_all_that_the_attempt_has_left_is_killed_and_nothing_of_others():
    world = World()
    other = put_away_one(world)
    life = waiting_in(world, "r2")
    for boot in ("fresh", "restore"):
        metadata = {
            "outboard-deployment": "outboard-sessions",
            "outboard-session": life.session_id,
            "outboard-attempt": "1",
            "outboard-boot": boot,
        }
        world.sandboxes.create(
            key=boot, metadata=metadata, environment={}, timeout=world.lives.launcher.lifetime
        )
    never_came(world, life)

    end(world, life)

    assert list(world.sandboxes.machines) == [other]


def put_away_one(world: World) -> str:
    put_away(world)
    return world.machine().info.provider_id


def waiting_in(world: World, request_id: str) -> Life:
    session_id = world.open_session(request_id)
    world.submit(session_id)
    return Life(session_id, 1)


def test_killing_is_tried_again():
    world = World()
    life = waiting(world)
    world.lives.launch(life)
    never_came(world, life)
    world.sandboxes.lose_next_answer_of("kill", LOST)

    with pytest.raises(SandboxUnavailable):
        world.lives.preserve(life)
    end(world, life)

    assert world.sandboxes.machines == {}


def test_a_creation_that_nobody_has_heard_of_is_killed_all_the_same():
    world = World()
    life = waiting(world)
    world.sandboxes.lose_next_answer_of("create", LOST)
    with pytest.raises(SandboxUnavailable):
        world.lives.launch(life)
    world.lives.launch_failed(life, "no answer came", Failure.TRANSIENT)

    end(world, life)

    assert world.sandboxes.machines == {}


def woken(world: World) -> Life:
    life = next_prompt(world, put_away(world))
    world.lives.launch(life)
    return life


def test_a_woken_one_whose_boot_fails_is_paused_again():
    world = World()
    life = woken(world)
    never_came(world, life)

    end(world, life)

    assert world.machine().info.state == "paused"
    assert session_of(world, life).workspace.provider_id == world.machine().info.provider_id


def test_no_copy_is_made_of_a_boot_that_failed():
    """Its files are as they were, or half changed by the boot: the sandbox is what is kept."""
    world = World()
    life = saving(world)
    world.sandboxes.fail_next_of("snapshot", LOST)
    world.lives.checkpoint(life)
    world.sandboxes.pause(world.machine().info.provider_id)
    cancelled_by_silence(world, life)
    again = next_prompt(world, life.session_id)
    world.lives.launch(again)
    come_up(world, again, marker=1, complete=False)
    failed = GiveUp(again.attempt, "start.sh failed", Failure.SCRIPT)
    world.app.sessions.handle(again.session_id, failed)

    end(world, again)

    session = session_of(world, again)
    assert session.workspace.has_unsaved_turns
    assert world.sandboxes.copies == {}
    assert world.machine().info.state == "paused"
    assert session.workspace.provider_id == world.machine().info.provider_id


def cancelled_by_silence(world: World, life: Life) -> None:
    world.now = world.now + world.app.sessions.rules.heartbeat * 2
    world.lives.question(life, Wait.SERVE, Clock.HEARTBEAT)
    end(world, life)


def test_a_wake_up_that_nobody_has_heard_of_is_paused_again():
    world = World()
    life = next_prompt(world, put_away(world))
    world.sandboxes.lose_next_answer_of("resume", LOST)
    with pytest.raises(SandboxUnavailable):
        world.lives.launch(life)
    woke = world.machine().info.state
    world.lives.launch_failed(life, "no answer came", Failure.TRANSIENT)

    end(world, life)

    assert (woke, world.machine().info.state) == ("running", "paused")


def restored(world: World) -> Life:
    session_id = put_away(world)
    world.sandboxes.machines.clear()
    life = next_prompt(world, session_id)
    world.lives.launch(life)
    return life


def test_a_restored_one_whose_boot_fails_is_killed_and_the_copy_stays():
    world = World()
    life = restored(world)
    never_came(world, life)

    end(world, life)
    again = next_prompt(world, life.session_id)
    world.lives.launch(again)

    assert len(world.sandboxes.machines) == 1
    assert world.machine().files[WORK] == b"work"


def imaged(world: World) -> Life:
    world.images.register((build.repository(),), IMAGE)
    world.sandboxes.copies[IMAGE] = {}
    life = waiting(world)
    world.lives.prepare(life)
    world.lives.launch(life)
    come_up(world, life, complete=False)
    return life


def test_a_turn_makes_files_worth_keeping_although_the_boot_goes_on():
    world = World()
    life = imaged(world)
    finish(world, life)
    failed = GiveUp(life.attempt, "start.sh failed", Failure.SCRIPT)
    world.app.sessions.handle(life.session_id, failed)

    end(world, life)

    assert calls(world, "snapshot", "pause", "kill") == ["pause"]
    assert session_of(world, life).workspace.provider_id == world.machine().info.provider_id


# Files that are not what the session has.


def damaged(world: World) -> Life:
    """It woke without the turn that is in the copy."""
    life = woken(world)
    world.app.sessions.handle(life.session_id, Connect(life.attempt, 0))
    return life


def test_one_that_woke_without_its_files_is_paused_and_the_copy_takes_its_place():
    world = World()
    life = damaged(world)
    ending, box = attempt_of(world, life).ending, world.machine().info.provider_id

    end(world, life)
    session = session_of(world, life)
    again = Life(life.session_id, session.attempts)
    world.lives.launch(again)

    assert ending is Ending.DAMAGED
    assert calls(world, "kill") == []
    assert world.sandboxes.machine(box).info.state == "paused"
    assert session.queue
    assert machine_of(world, again).info.provider_id != box
    assert machine_of(world, again).files[WORK] == b"work"


def test_the_damaged_one_is_not_copied_over_the_copy():
    world = World()
    life = damaged(world)
    before = dict(world.sandboxes.copies)

    end(world, life)

    assert world.sandboxes.copies == before
    assert calls(world, "snapshot") == ["snapshot"]


def warmed(world: World) -> Life:
    session_id = world.open_session()
    world.app.desk.warm(session_id)
    life = Life(session_id, 1)
    world.lives.launch(life)
    come_up(world, life)
    return life


def test_one_of_another_target_is_killed_although_it_was_ready():
    world = World()
    life = warmed(world)
    other = Choose(target=(build.repository("other"),))
    world.app.sessions.handle(life.session_id, other)

    end(world, life)

    session = session_of(world, life)
    assert world.sandboxes.machines == {}
    assert not session.workspace.exists
    assert session.attempt is not None
    assert (session.attempt.number, session.attempt.boot) == (2, Boot.FRESH)


def test_one_of_another_target_is_killed_also_while_it_is_being_put_away():
    world = World()
    life = warmed(world)
    due = attempt_of(world, life).idle_due
    assert due is not None
    world.now = due
    world.app.sessions.handle(life.session_id, Poke(life.attempt, watched=False))
    world.lives.preserve(life)
    other = Choose(target=(build.repository("other"),))
    world.app.sessions.handle(life.session_id, other)

    world.lives.retire(life)
    retired = session_of(world, life)
    world.now += world.app.sessions.rules.boot_budget
    world.reaper.reap()

    assert not retired.workspace.exists
    assert "fake-1" not in world.sandboxes.machines


# Whatever happened: files that people's prompts have left are somewhere.

MINE = [Ending.INACTIVE, Ending.STOPPED, Ending.LIFETIME, Ending.STALE, Ending.CANCELLED, None]


@pytest.mark.parametrize(
    ("lost", "ending"),
    list(product(["snapshot", "pause", "info", "find", "nothing"], MINE)),
)
def test_files_of_a_turn_are_never_killed(lost: str, ending: Ending | None):
    world = World()
    life = saving(world)
    if ending is not None:
        ended_for(world, life.session_id, ending)
    world.sandboxes.fail_next_of(lost, LOST)

    for _ in range(2):
        try_to_end(world, life)

    session = session_of(world, life)
    assert session.attempt is None
    assert calls(world, "kill") == []
    assert world.machine().files[WORK] == b"work"
    assert session.workspace.provider_id == world.machine().info.provider_id


def ended_for(world: World, session_id: SessionId, ending: Ending) -> None:
    """As if the session had decided so."""
    partition = world.memory.partitions[session_id]
    attempt = partition.session.attempt
    assert attempt is not None
    ended = replace(attempt, ending=ending, token_hash=None, saving=False)
    sandbox = ending.sandbox
    partition.session = replace(partition.session, attempt=ended, sandbox=sandbox)


def try_to_end(world: World, life: Life) -> None:
    try:
        end(world, life)
    except (SandboxUnavailable, SandboxGone):
        return


def fails_twice(world: World) -> Life:
    """Its sandbox does not boot any more: another is made from the copy of its files."""
    session_id = put_away(world)
    for _ in range(2):
        life = next_prompt(world, session_id)
        world.lives.launch(life)
        broken = GiveUp(life.attempt, "start.sh ended with status 1", Failure.SCRIPT)
        world.app.sessions.handle(session_id, broken)
        end(world, life)
    life = next_prompt(world, session_id)
    world.lives.launch(life)
    return life


def test_a_copy_boots_beside_the_sandbox_that_does_not_which_is_let_go_after_that():
    world = World()
    life = fails_twice(world)
    old = session_of(world, life).workspace.provider_id
    made = attempt_of(world, life).provider_id

    come_up(world, life, marker=1)

    session = session_of(world, life)
    assert old != made
    assert session.workspace.provider_id == made
    assert world.sandboxes.machine(made or "").files[WORK] == b"work"


def test_a_copy_that_does_not_boot_either_is_killed_and_the_sandbox_stays():
    world = World()
    life = fails_twice(world)
    old = session_of(world, life).workspace.provider_id
    broken = GiveUp(life.attempt, "start.sh ended with status 1", Failure.SCRIPT)
    world.app.sessions.handle(life.session_id, broken)

    end(world, life)

    session = session_of(world, life)
    assert session.workspace.provider_id == old
    assert list(world.sandboxes.machines) == [old]
    assert session.workspace.boot is Boot.RESUME
