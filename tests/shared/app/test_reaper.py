"""The reaper looks after what nobody else does, and kills only what is nobody's."""

from datetime import timedelta

from shared.app.lives import Life
from shared.app.ports.sandboxes import SandboxGone, SandboxUnavailable
from shared.domain.session.commands import (
    BecomeReady,
    Choose,
    Connect,
    FinishPrompt,
    LaunchFailed,
    Retire,
)
from shared.domain.session.failures import Failure
from shared.domain.session.sandbox import Ending, ProviderId, SandboxStatus
from shared.domain.session.state import PromptStatus, SessionId
from tests import build
from tests.world import World

LONG = timedelta(minutes=16)
A_MOMENT = timedelta(minutes=14)


def serving(world: World) -> Life:
    session_id = world.open_session()
    world.submit(session_id)
    life = Life(session_id, 1)
    world.lives.launch(life)
    world.app.sessions.handle(session_id, Connect(1, 0))
    world.app.sessions.handle(session_id, BecomeReady(1))
    return life


def put_away(world: World, life: Life) -> None:
    world.app.sessions.handle(
        life.session_id,
        FinishPrompt(attempt=1, prompt=1, status=PromptStatus.COMPLETED),
    )
    world.lives.preserve(life)
    world.lives.retire(life)


def orphan(world: World, session: str = "nobody", attempt: int = 1) -> str:
    metadata = {
        "outboard-deployment": "outboard-sessions",
        "outboard-session": session,
        "outboard-attempt": str(attempt),
    }
    key = f"{session}-{attempt}"
    made = world.sandboxes.create(
        key=key, metadata=metadata, environment={}, timeout=timedelta(hours=1)
    )
    return made.provider_id


def test_a_sandbox_that_nobody_names_is_killed_once_it_is_old_enough():
    world = World()
    box = orphan(world)

    world.pass_time(A_MOMENT)
    young = world.reaper.reap()
    world.pass_time(LONG - A_MOMENT)
    old = world.reaper.reap()

    assert young == {"kept": 1}
    assert old == {"killed": 1}
    assert box not in world.sandboxes.machines


def test_sandboxes_of_another_deployment_are_not_looked_at():
    world = World()
    metadata = {"outboard-deployment": "another", "outboard-session": "s", "outboard-attempt": "1"}
    world.sandboxes.create(key="k", metadata=metadata, environment={}, timeout=timedelta(hours=1))
    world.pass_time(LONG)

    assert world.reaper.reap() == {}
    assert len(world.sandboxes.machines) == 1


def test_what_a_crash_left_of_a_launching_attempt_is_kept():
    world = World()
    session_id = world.open_session()
    world.submit(session_id)
    box = orphan(world, session_id)
    world.pass_time(LONG)

    world.reaper.reap()

    assert box in world.sandboxes.machines


def test_a_sandbox_with_the_sessions_files_that_runs_for_nobody_is_paused():
    world = World()
    life = serving(world)
    put_away(world, life)
    box = world.machine().info.provider_id
    world.sandboxes.resume(box, timeout=timedelta(hours=1))
    world.pass_time(LONG)

    first, second = world.reaper.reap(), world.reaper.reap()

    assert first["paused"] == 1
    assert "paused" not in second
    assert world.machine().info.state == "paused"


def test_a_sandbox_of_an_abandoned_choice_is_killed_although_it_was_ready():
    world = World()
    life = serving_draft(world)
    choose = Choose(target=(build.repository("other"),))
    world.app.sessions.handle(life.session_id, choose)
    world.app.sessions.handle(life.session_id, Retire(1, ProviderId("fake-1")))
    world.pass_time(LONG)

    done = world.reaper.reap()

    session = world.app.sessions.load(life.session_id)
    assert done["killed"] == 1
    assert session.workspace.provider_id is None


def serving_draft(world: World) -> Life:
    session_id = world.open_session()
    world.app.desk.warm(session_id)
    life = Life(session_id, 1)
    world.lives.launch(life)
    world.app.sessions.handle(session_id, Connect(1, 0))
    world.app.sessions.handle(session_id, BecomeReady(1))
    return life


def test_an_attempt_whose_execution_is_over_begins_its_next_life():
    world = World()
    life = serving(world)
    world.workflow.over.add((life.session_id, 1, 1))

    done = world.reaper.reap()

    assert done["begun_again"] == 1
    assert (life.session_id, 1, 2) in world.workflow.started


def test_an_attempt_whose_execution_never_started_is_started_once():
    world = World()
    life = serving(world)
    world.workflow.started.clear()

    world.reaper.reap()
    world.reaper.reap()

    assert world.workflow.started == [(life.session_id, 1, 1)]


def test_a_sandbox_that_a_session_believes_in_and_nobody_has_is_mourned():
    world = World()
    life = serving(world)
    world.sandboxes.machines.clear()

    done = world.reaper.reap()

    session = world.app.sessions.load(life.session_id)
    assert done["healed"] == 1
    assert session.sandbox is SandboxStatus.STALE
    assert session.attempt is not None
    assert session.attempt.ending is Ending.STALE
    assert not session.workspace.exists


def test_a_sandbox_that_stands_still_for_a_copy_is_not_mourned():
    world = World()
    life = serving(world)
    done = FinishPrompt(attempt=1, prompt=1, status=PromptStatus.COMPLETED)
    world.app.sessions.handle(life.session_id, done)
    world.sandboxes.machines.clear()

    world.reaper.reap()

    session = world.app.sessions.load(life.session_id)
    assert session.sandbox is SandboxStatus.SNAPSHOTTING
    assert session.workspace.provider_id == "fake-1"


def test_a_sandbox_that_the_provider_lists_is_there():
    world = World()
    life = serving(world)
    world.sandboxes.fail_next_of("info", SandboxGone("for a moment"))

    world.reaper.reap()

    assert world.app.sessions.load(life.session_id).sandbox is SandboxStatus.READY


def test_a_provider_that_lists_nothing_keeps_no_workflow_from_being_looked_after():
    world = World()
    life = serving(world)
    world.workflow.over.add((life.session_id, 1, 1))
    world.sandboxes.fail_next_of("find", SandboxUnavailable("busy"))
    world.sandboxes.fail_next_of("snapshots", SandboxUnavailable("busy"))

    done = world.reaper.reap()

    assert done == {"failed": 2, "begun_again": 1}


def test_a_copy_that_no_session_needs_is_forgotten():
    world = World()
    life = serving(world)
    put_away(world, life)
    saved = world.app.sessions.load(life.session_id).workspace.snapshot
    world.sandboxes.copies["fake/outboard-outboard-sessions-gone-1-1:default"] = {}

    done = world.reaper.reap()

    assert done["copies_forgotten"] == 1
    assert saved is not None
    assert list(world.sandboxes.copies) == [saved.id]


def test_a_start_that_was_put_off_and_never_poked_is_made_up_for():
    world = World()
    session_id = world.open_session()
    for number in (1, 2, 3):
        world.submit(session_id, request_id=f"p{number}")
        world.app.sessions.handle(session_id, LaunchFailed(number, "no", Failure.PERMANENT))
        world.app.sessions.handle(session_id, Retire(number, None))
    world.submit(session_id, request_id="p4")
    put_off = world.app.sessions.load(session_id)
    world.pass_time(timedelta(minutes=8))

    world.reaper.reap()

    assert put_off.retry_at is not None
    assert world.app.sessions.load(session_id).attempts == put_off.attempts + 1


def test_an_idle_sandbox_whose_poke_was_lost_is_put_away_all_the_same():
    world = World()
    life = serving(world)
    finish = FinishPrompt(attempt=1, prompt=1, status=PromptStatus.FAILED)
    world.app.sessions.handle(life.session_id, finish)
    world.pass_time(timedelta(minutes=13))

    world.reaper.reap()

    attempt = world.app.sessions.load(life.session_id).attempt
    assert attempt is not None
    assert attempt.ending is Ending.INACTIVE


def test_one_that_fails_keeps_nobody_else_waiting():
    world = World()
    first, second = orphan(world, "a"), orphan(world, "b")
    world.pass_time(LONG)
    world.sandboxes.fail_next_of("kill", SandboxUnavailable("busy"))

    done = world.reaper.reap()

    assert done == {"failed": 1, "killed": 1}
    assert set(world.sandboxes.machines) == {first}
    assert second not in world.sandboxes.machines


def test_metadata_that_somebody_else_made_up_is_nobodys():
    world = World()
    box = orphan(world, SessionId("no such session"), attempt=-1)
    world.pass_time(LONG)

    world.reaper.reap()

    assert box not in world.sandboxes.machines
