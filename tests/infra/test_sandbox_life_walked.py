"""The machine with the app behind its steps: where a life goes when this and that happens."""

from datetime import timedelta

import pytest

from shared.app.ports.sandboxes import SandboxRefused, SandboxUnavailable
from shared.domain.errors import Unavailable
from shared.domain.sandbox_settings import SandboxSettings
from shared.domain.session.commands import Cancel, Connect, GiveUp, Poke, ResumeQueue, Stop
from shared.domain.session.failures import Failure
from shared.domain.session.sandbox import Boot, SandboxStatus
from shared.domain.session.state import PromptStatus, SessionStatus, UserId
from shared.domain.timeline import Frame
from tests import build
from tests.infra.walking import Killed, Walk
from tests.shared.app.stories import (
    attempt_of,
    calls,
    come_up,
    finish,
    session_of,
    waiting,
)
from tests.world import World

ADA = UserId("ada")
HOUR = SandboxSettings(lifetime=timedelta(hours=1))
USUAL = [
    *("Prepare", "Prepared", "Launch", "Launched", "AwaitConnect", "Connected"),
    *("AwaitReady", "Ready", "Serve"),
]
END = ["Preserve", "Retire"]
LOST = SandboxUnavailable("no answer came")


def begun() -> Walk:
    """A prompt waits for the sandbox, which is launched."""
    world = World()
    return Walk(world, waiting(world, HOUR))


def served() -> Walk:
    """It runs the first prompt."""
    walk = begun()
    come_up(walk.world, walk.life)
    return walk.goes_on()


def told(walk: Walk, *commands) -> Walk:
    for command in commands:
        walk.world.app.sessions.handle(walk.life.session_id, command)
    return walk.goes_on()


def finished(walk: Walk, status: PromptStatus = PromptStatus.COMPLETED) -> Walk:
    finish(walk.world, walk.life, status)
    return walk.goes_on()


def idle(walk: Walk) -> Walk:
    due = attempt_of(walk.world, walk.life).idle_due
    assert due is not None
    walk.world.now = due
    return told(walk, Poke(walk.life.attempt, watched=False))


def at(walk: Walk) -> str | None:
    return walk.waiting.state if walk.waiting else None


def test_a_life_in_which_nothing_goes_wrong():
    walk = begun()

    before = at(walk)
    told(walk, Connect(1, 0))
    come_up(walk.world, walk.life)
    walk.goes_on()
    finished(walk)
    idle(walk)

    session = session_of(walk.world, walk.life)
    copied = ["Served", "Checkpoint", "Saved", "Serve"]
    assert before == "AwaitConnect"
    assert walk.path == [*USUAL, *copied, "Served", *END]
    assert walk.ended == "Retire"
    assert (session.status, session.sandbox) == (SessionStatus.COMPLETED, SandboxStatus.STOPPED)
    assert walk.world.machine().info.state == "paused"


def test_each_wait_is_given_what_is_left():
    walk = begun()
    waits = [walk.waiting]
    walk.world.pass_time(timedelta(minutes=3))
    waits.append(told(walk, Connect(1, 0)).waiting)
    walk.world.pass_time(timedelta(minutes=7))
    come_up(walk.world, walk.life)
    waits.append(walk.goes_on().waiting)

    known = [(wait.state, wait.seconds, wait.heartbeat) for wait in waits if wait]
    assert known == [
        ("AwaitConnect", 4 * 60, None),
        ("AwaitReady", 27 * 60, 90),
        ("Serve", 40 * 60, 90),
    ]


# Between turns.


def test_a_copy_is_made_between_two_turns_and_the_next_prompt_follows():
    walk = served()
    walk.world.submit(walk.life.session_id, request_id="p2")
    finished(walk)
    straight_on = at(walk)

    finished(walk)

    copy = session_of(walk.world, walk.life).workspace.snapshot
    assert straight_on == at(walk) == "Serve"
    assert walk.path == [*USUAL, "Served", "Checkpoint", "Saved", "Serve"]
    assert copy is not None
    assert copy.turn == 2


def test_a_prompt_that_comes_while_the_copy_is_made_waits_for_it():
    walk = served()
    walk.errors["checkpoint"] = [Killed()] * 4
    walk.errors["checkpoint_failed"] = [Killed()] * 4
    finish(walk.world, walk.life)
    walk.world.submit(walk.life.session_id, request_id="p2")
    during = session_of(walk.world, walk.life)

    walk.goes_on()

    session = session_of(walk.world, walk.life)
    assert (during.running, during.sandbox) == (None, SandboxStatus.SNAPSHOTTING)
    assert session.running is not None
    assert session.running.prompt.number == 2
    assert at(walk) == "Serve"


def test_a_copy_that_never_comes_to_its_end_ends_no_life():
    walk = served()
    walk.errors["checkpoint"] = [Killed()] * 4

    finished(walk)

    assert walk.since("Checkpoint") == ["CheckpointFailed", "Saved", "Serve"]
    assert attempt_of(walk.world, walk.life).save_error is not None


def test_a_copy_of_which_nobody_can_even_say_that_it_failed_is_made_again():
    walk = served()
    walk.errors["checkpoint"] = [Killed()] * 4
    walk.errors["checkpoint_failed"] = [Killed()] * 4

    finished(walk)

    went = walk.path[walk.path.index("CheckpointFailed") :]
    assert went == [
        *("CheckpointFailed", "SaveUnknown", "Serve"),
        *("Served", "Checkpoint", "Saved", "Serve"),
    ]
    assert session_of(walk.world, walk.life).workspace.snapshot is not None


def test_a_session_that_is_cancelled_while_its_copy_is_made_is_put_away():
    walk = served()
    finish(walk.world, walk.life)
    walk.world.app.sessions.handle(walk.life.session_id, Cancel(ADA))

    walk.goes_on()

    assert walk.path == [*USUAL, "Served", "Checkpoint", "Saved", *END]
    assert walk.ended == "Retire"


def test_a_copy_is_wanted_and_the_workflow_is_between_two_waits():
    """What became true before anybody waited is told to whoever begins to."""
    walk = begun()
    come_up(walk.world, walk.life)
    finish(walk.world, walk.life)

    walk.goes_on()

    assert walk.path == [*USUAL, "Served", "Checkpoint", "Saved", "Serve"]


# Stopping.


def test_a_stop_that_is_confirmed_goes_back_to_serving():
    walk = told(served(), Stop(ADA))
    stopping = walk.waiting

    finished(walk, PromptStatus.STOPPED)

    assert stopping is not None
    assert (stopping.state, stopping.seconds, stopping.heartbeat) == ("AwaitStop", 15, None)
    assert walk.path == [*USUAL, "Served", "AwaitStop", "Stopped", "Serve"]
    assert session_of(walk.world, walk.life).last_outcome is PromptStatus.STOPPED


def test_after_a_confirmed_stop_the_next_prompt_has_its_turn():
    walk = told(served(), Stop(ADA))
    walk.world.submit(walk.life.session_id, request_id="p2")

    finished(walk, PromptStatus.STOPPED)
    finished(walk)

    assert walk.since("AwaitStop") == [
        *("Stopped", "Serve", "Served", "Checkpoint", "Saved", "Serve"),
    ]


def test_a_stop_that_is_not_confirmed_replaces_the_sandbox_after_a_copy():
    walk = told(served(), Stop(ADA))
    walk.world.submit(walk.life.session_id, request_id="p2")
    walk.world.pass_time(timedelta(seconds=15))

    walk.time_runs_out()

    session = session_of(walk.world, walk.life)
    record = walk.world.app.store.prompt(walk.life.session_id, 1)
    assert walk.since("AwaitStop") == ["NotStopped", "Question", "Answered", *END]
    assert record.status is PromptStatus.STOPPED
    assert calls(walk.world, "snapshot", "pause") == ["snapshot", "pause"]
    assert session.attempt is not None
    assert (session.attempt.number, session.attempt.boot) == (2, Boot.RESUME)


def test_a_stop_is_confirmed_at_the_very_moment_at_which_its_time_runs_out():
    walk = told(served(), Stop(ADA))
    walk.world.pass_time(timedelta(seconds=15))
    finish(walk.world, walk.life, PromptStatus.STOPPED)

    lost = walk.world.workflow.completed.pop(walk.waiting.token if walk.waiting else "")
    walk.time_runs_out()

    assert lost == "stopped"
    assert walk.since("AwaitStop") == ["NotStopped", "Question", "Answered", "Serve"]


def test_a_clock_that_runs_fast_asks_again():
    walk = told(served(), Stop(ADA))
    walk.world.pass_time(timedelta(seconds=10))

    walk.time_runs_out()

    assert walk.since("AwaitStop") == []
    assert walk.path[-4:] == ["Question", "Answered", "GoOn", "AwaitStop"]
    assert walk.waiting is not None
    assert walk.waiting.seconds == 5


# The end of a lifetime.


def test_the_end_of_the_lifetime_stops_the_turn_saves_and_retires_in_this_order():
    walk = served()
    walk.world.submit(walk.life.session_id, request_id="p2")
    walk.world.pass_time(timedelta(minutes=50))

    walk.time_runs_out()
    stopping = walk.waiting
    finished(walk, PromptStatus.STOPPED)

    session = session_of(walk.world, walk.life)
    assert stopping is not None
    assert (stopping.state, stopping.seconds) == ("AwaitStop", 60)
    assert walk.since("Serve") == [
        *("LifetimeOver", "Question", "Answered", "AwaitStop", "Stopped", *END),
    ]
    assert calls(walk.world, "snapshot", "pause") == ["snapshot", "pause"]
    assert (session.held, session.attempt) == (True, None)
    assert walk.world.app.store.prompt(walk.life.session_id, 1).status is PromptStatus.FAILED


def test_a_queue_that_is_held_goes_on_in_the_same_files_when_somebody_says_so():
    walk = served()
    walk.world.submit(walk.life.session_id, request_id="p2")
    walk.world.pass_time(timedelta(minutes=50))
    walk.time_runs_out()
    finished(walk, PromptStatus.STOPPED)

    walk.world.app.sessions.handle(walk.life.session_id, ResumeQueue(ADA))

    attempt = session_of(walk.world, walk.life).attempt
    assert attempt is not None
    assert (attempt.number, attempt.boot) == (2, Boot.RESUME)


def test_a_turn_that_does_not_stop_in_time_ends_with_the_sandbox():
    walk = served()
    walk.world.pass_time(timedelta(minutes=50))
    walk.time_runs_out()
    walk.world.pass_time(timedelta(seconds=60))

    walk.time_runs_out()

    record = walk.world.app.store.prompt(walk.life.session_id, 1)
    assert walk.since("AwaitStop") == ["NotStopped", "Question", "Answered", *END]
    assert record.status is PromptStatus.FAILED
    assert walk.world.machine().info.state == "paused"


def test_no_wait_that_listens_is_shorter_than_it_listens_for():
    """However late it is: the bridge's own heartbeats ask about deadlines meanwhile."""
    walk = finished(served(), PromptStatus.FAILED)
    walk.world.pass_time(timedelta(minutes=49, seconds=59))
    heard(walk)

    walk.silence()

    assert walk.waiting is not None
    assert walk.waiting.heartbeat is not None
    assert walk.waiting.seconds > walk.waiting.heartbeat


def heard(walk: Walk) -> None:
    """The bridge has just said something."""
    frame = Frame("late", ({"type": "text", "prompt": 1},), walk.life.attempt)
    walk.world.app.timeline.append(walk.life.session_id, frame, after=0, now=walk.world.now)


def test_an_idle_sandbox_is_put_away_when_its_lifetime_ends():
    walk = finished(served())
    walk.world.pass_time(timedelta(minutes=50))

    walk.time_runs_out()

    assert walk.since("Serve") == ["LifetimeOver", "Question", "Answered", *END]


# Questions that facts answer.


def test_the_bridge_comes_when_the_time_to_connect_runs_out():
    walk = begun()
    walk.world.app.sessions.handle(walk.life.session_id, Connect(1, 0))

    walk.time_runs_out()

    assert walk.since("AwaitConnect") == ["NotConnected", "Question", "Answered", "AwaitReady"]


def test_the_boot_is_over_when_its_time_runs_out():
    walk = told(begun(), Connect(1, 0))
    come_up(walk.world, walk.life)

    walk.time_runs_out()

    assert walk.since("AwaitReady") == ["BootTooLong", "Question", "Answered", "Serve"]


def test_a_copy_is_wanted_when_a_clock_runs_out():
    walk = served()
    finish(walk.world, walk.life)

    walk.silence()

    assert walk.path[len(USUAL) :] == [
        *("Silent", "Question", "Answered", "Checkpoint", "Saved", "Serve"),
    ]


def test_a_turn_has_to_stop_when_a_clock_runs_out():
    walk = served()
    walk.world.app.sessions.handle(walk.life.session_id, Stop(ADA))

    walk.silence()

    assert walk.since("Serve") == ["Silent", "Question", "Answered", "AwaitStop"]


def test_a_sandbox_that_is_silent_is_put_away_and_not_destroyed():
    walk = served()
    walk.world.pass_time(timedelta(seconds=91))

    walk.silence()

    assert walk.since("Serve") == ["Silent", "Question", "Answered", *END]
    assert session_of(walk.world, walk.life).sandbox is SandboxStatus.STALE
    assert walk.world.machine().info.state == "paused"


def test_an_answer_that_cannot_be_had_now_is_waited_for():
    walk = served()
    walk.errors["question"] = [Unavailable("the table does not answer")] * 12
    walk.world.app.sessions.handle(walk.life.session_id, Stop(ADA))

    walk.silence()

    assert at(walk) == "AwaitStop"


# Launches.


def test_a_provider_that_is_busy_is_asked_again():
    world = World()
    life = waiting(world)
    world.sandboxes.fail_next_of("create", LOST)

    walk = Walk(world, life)

    assert at(walk) == "AwaitConnect"
    assert calls(world, "create") == ["create"] * 2


def test_a_provider_that_stays_busy_fails_the_prompt():
    world = World()
    life = waiting(world)

    walk = Walk(world, life, errors={"launch": [LOST] * 20})

    record = world.app.store.prompt(life.session_id, 1)
    assert walk.path == [
        *("Prepare", "Prepared", "Launch", "LaunchFailed", "Launched", *END),
    ]
    assert "SandboxUnavailable" in (record.error or "")
    assert world.sandboxes.machines == {}


def test_a_launch_that_fails_when_the_bridge_is_there_goes_on():
    first = served()

    walk = Walk(first.world, first.life, number=2, errors={"launch": [LOST] * 10})

    assert walk.path == [*USUAL[:3], "LaunchFailed", *USUAL[3:]]
    assert session_of(walk.world, walk.life).running is not None


def test_a_refused_image_costs_an_attempt_and_no_prompt():
    world = World()
    world.images.register((build.repository(),), "team/tool:1")
    life = waiting(world)
    world.sandboxes.fail_next_of("create", SandboxRefused("it does not start"))

    walk = Walk(world, life)

    session = session_of(world, life)
    assert walk.path == ["Prepare", "Prepared", "Launch", "Launched", *END]
    assert session.attempt is not None
    assert (session.attempt.number, session.attempt.boot) == (2, Boot.FRESH)
    assert [prompt.number for prompt in session.queue] == [1]


def test_a_life_of_which_nothing_could_be_prepared_is_put_away():
    world = World()
    life = waiting(world)

    walk = Walk(world, life, errors={"prepare": [Unavailable("the table does not answer")] * 10})

    assert walk.path == ["Prepare", "PrepareFailed", *END]
    assert session_of(world, life).sandbox is SandboxStatus.FAILED


# Functions that die, wherever they do.

STEPS = ["prepare", "launch", "await", "checkpoint", "preserve", "retire"]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_function_that_dies_and_is_tried_again_changes_nothing(step: str, times: int, when: str):
    world = World()
    life = waiting(world)
    dying: dict[str, list[Exception]] = {step: [Killed()] * times}
    walk = Walk(world, life, errors=dying) if when == "before" else Walk(world, life, deaths=dying)

    come_up(world, life)
    walk.goes_on()
    finished(walk)
    idle(walk)

    session = session_of(world, life)
    assert walk.ended == "Retire"
    assert session.status is SessionStatus.COMPLETED
    assert len(world.sandboxes.machines) == 1
    assert session.workspace.provider_id == world.machine().info.provider_id
    assert world.machine().info.state == "paused"
    assert calls(world, "kill") == []


@pytest.mark.parametrize("step", ["preserve", "retire"])
def test_a_life_that_cannot_end_is_followed_by_one_that_can(step: str):
    walk = served()
    walk.errors[step] = [LOST] * 13
    told(walk, Cancel(ADA))

    second = Walk(walk.world, walk.life, number=2)

    assert walk.ended == "NotPreserved"
    assert walk.world.workflow.started == [
        (walk.life.session_id, 1, 1),
        (walk.life.session_id, 1, 2),
    ]
    assert second.path == ["Prepare", "Prepared", *END]
    assert walk.world.machine().info.state == "paused"
    assert session_of(walk.world, walk.life).attempt is None


def test_a_life_that_is_lost_in_the_middle_is_taken_up_by_the_next_one():
    walk = served()
    walk.world.lives.life_ended(walk.life, 1)

    second = Walk(walk.world, walk.life, number=2)
    finished(second)

    copied = ["Served", "Checkpoint", "Saved", "Serve"]
    assert second.path == [*USUAL, *copied]
    assert len(walk.world.sandboxes.machines) == 1


def test_a_session_that_is_cancelled_while_it_boots_kills_what_was_made_for_it():
    walk = told(begun(), Cancel(ADA))

    assert walk.since("AwaitConnect") == ["Connected", *END]
    assert walk.world.sandboxes.machines == {}
    session = session_of(walk.world, walk.life)
    assert (session.status, session.attempt) == (SessionStatus.CANCELLED, None)
    assert session.workspace.provider_id is None


def test_an_attempt_whose_bridge_gives_up_leads_out():
    walk = told(begun(), Connect(1, 0))

    told(walk, GiveUp(1, "exit 1", Failure.SCRIPT))

    record = walk.world.app.store.prompt(walk.life.session_id, 1)
    assert walk.since("AwaitReady") == ["Ready", *END]
    assert "exit 1" in (record.error or "")
    assert walk.world.sandboxes.machines == {}
