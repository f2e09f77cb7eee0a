"""The steps of the workflow: what each answers, and how long what follows may take."""

from datetime import timedelta

import pytest

from shared.app.lives import Life
from shared.domain.sandbox_settings import SandboxSettings
from shared.domain.session.commands import (
    BecomeReady,
    Cancel,
    Clock,
    Connect,
    Launched,
    Stop,
)
from shared.domain.session.failures import Failure
from shared.domain.session.sandbox import Ending, ProviderId, SandboxStatus, Wait
from shared.domain.session.state import PromptStatus, UserId
from shared.domain.timeline import Frame
from tests.shared.app.stories import (
    attempt_of,
    calls,
    come_up,
    end,
    finish,
    put_away,
    running,
    saving,
    session_of,
    waiting,
)
from tests.world import World

ADA = UserId("ada")
HOUR = SandboxSettings(lifetime=timedelta(hours=1))


def heard(world: World, life: Life) -> None:
    """A frame of the attempt was stored just now."""
    frame = Frame(f"f{world.now}", ({"type": "text", "prompt": 1},), life.attempt)
    world.app.timeline.append(life.session_id, frame, after=0, now=world.now)


def test_preparing_tells_how_long_a_bridge_may_be_silent():
    world = World()

    assert world.lives.prepare(waiting(world)) == {
        "outcome": "launch",
        "heartbeatSeconds": 90,
        "seconds": 91,
    }


def test_a_life_of_an_attempt_that_is_over_ends_at_once():
    world = World()
    session_id = put_away(world)

    answer = world.lives.prepare(Life(session_id, 1))

    assert answer == {"outcome": "ended", "heartbeatSeconds": 90, "seconds": 91}


def test_a_life_of_an_attempt_that_has_ended_only_puts_away():
    world = World()
    life = running(world)
    world.app.sessions.handle(life.session_id, Cancel(ADA))

    assert world.lives.prepare(life)["outcome"] == "ended"


def test_a_life_that_begins_again_goes_through_all_of_it():
    """Each step adopts; a bridge that is there is found to be connected, ready and serving."""
    world = World()
    life = running(world, HOUR)

    answers = [world.lives.prepare(life)["outcome"], world.lives.launch(life)["outcome"]]
    for wait in (Wait.CONNECT, Wait.READY, Wait.SERVE):
        world.lives.wait(life, wait, f"second-{wait}")

    assert answers == ["launch", "launched"]
    assert world.workflow.completed == {"second-connect": "connected", "second-ready": "ready"}
    assert session_of(world, life).running is not None


# Waiting: whoever waits is told what came, and how long the next wait may take.


def test_who_waits_is_told_when_it_comes():
    world = World()
    life = waiting(world, HOUR)
    world.lives.launch(life)
    world.lives.wait(life, Wait.CONNECT, "c")
    world.app.sessions.handle(life.session_id, Connect(1, 0))
    world.pass_time(timedelta(minutes=2))
    world.lives.wait(life, Wait.READY, "r")
    world.app.sessions.handle(life.session_id, BecomeReady(1))

    assert world.workflow.completed == {"c": "connected", "r": "ready"}
    assert world.workflow.seconds == {"c": 30 * 60, "r": (60 - 10 - 2) * 60}


def test_waiting_after_the_fact_is_answered_at_once():
    world = World()
    life = running(world, HOUR)
    world.pass_time(timedelta(minutes=1))

    world.lives.wait(life, Wait.READY, "r")

    assert world.workflow.completed == {"r": "ready"}
    assert world.workflow.seconds == {"r": 49 * 60}


def test_waiting_for_an_attempt_that_is_over_ends_at_once():
    world = World()
    session_id = put_away(world)

    world.lives.wait(Life(session_id, 1), Wait.SERVE, "s")

    assert world.workflow.completed == {"s": "ended"}


def test_a_turn_that_has_to_stop_leaves_serving_for_as_long_as_it_may_take():
    world = World()
    life = running(world, HOUR)
    world.lives.wait(life, Wait.SERVE, "s")

    world.app.sessions.handle(life.session_id, Stop(ADA))
    world.lives.wait(life, Wait.STOP, "t")
    finish(world, life, PromptStatus.STOPPED)

    assert world.workflow.completed == {"s": "stopping", "t": "stopped"}
    assert world.workflow.seconds == {"s": 15, "t": 50 * 60}


def test_the_end_of_a_turn_leaves_serving_for_a_copy():
    world = World()
    life = running(world, HOUR)
    world.lives.wait(life, Wait.SERVE, "s")

    finish(world, life)

    assert world.workflow.completed == {"s": "checkpoint"}
    assert session_of(world, life).sandbox is SandboxStatus.SNAPSHOTTING


# A clock that ran out is a question.


def test_a_sandbox_that_did_not_connect_in_time_has_failed():
    world = World()
    life = waiting(world)
    world.lives.launch(life)

    answer = world.lives.question(life, Wait.CONNECT, Clock.TIMEOUT)

    assert answer["outcome"] == "ended"
    assert attempt_of(world, life).ending is Ending.FAILED


def test_a_question_that_comes_with_the_bridge_goes_on_with_the_boot():
    world = World()
    life = waiting(world)
    world.lives.launch(life)
    world.pass_time(timedelta(minutes=4))
    world.app.sessions.handle(life.session_id, Connect(1, 0))

    answer = world.lives.question(life, Wait.CONNECT, Clock.TIMEOUT)

    assert answer == {"outcome": "connected", "seconds": 26 * 60}


def test_a_question_about_a_boot_that_is_over_goes_on_with_the_work():
    world = World()
    life = running(world, HOUR)

    answer = world.lives.question(life, Wait.READY, Clock.TIMEOUT)

    assert answer == {"outcome": "ready", "seconds": 50 * 60}


def test_a_boot_may_take_as_long_as_it_may_and_asking_starts_no_clock_anew():
    world = World()
    life = waiting(world)
    world.lives.launch(life)
    world.app.sessions.handle(life.session_id, Connect(1, 0))
    world.pass_time(timedelta(minutes=10))
    heard(world, life)

    goes_on = world.lives.question(life, Wait.READY, Clock.HEARTBEAT)
    world.pass_time(timedelta(minutes=20))
    heard(world, life)
    over = world.lives.question(life, Wait.READY, Clock.TIMEOUT)

    assert goes_on == {"outcome": "go_on", "seconds": 20 * 60}
    assert over["outcome"] == "ended"


def test_a_sandbox_that_is_heard_is_not_silent():
    world = World()
    life = running(world, HOUR)
    world.pass_time(timedelta(minutes=5))
    heard(world, life)

    answer = world.lives.question(life, Wait.SERVE, Clock.HEARTBEAT)

    assert answer == {"outcome": "go_on", "seconds": 45 * 60}


def test_a_silent_sandbox_that_is_gone_is_called_gone_and_not_silent():
    world = World()
    life = running(world, HOUR)
    world.pass_time(timedelta(minutes=5))
    world.sandboxes.machines.clear()

    answer = world.lives.question(life, Wait.SERVE, Clock.HEARTBEAT)

    error = world.app.store.prompt(life.session_id, 1).error
    assert answer["outcome"] == "ended"
    assert (error or "").startswith("the sandbox does not exist any more")
    assert not session_of(world, life).workspace.exists


def test_what_an_attempt_before_has_said_does_not_count():
    world = World()
    life = running(world, HOUR)
    world.pass_time(timedelta(minutes=5))
    heard(world, Life(life.session_id, 7))

    answer = world.lives.question(life, Wait.SERVE, Clock.HEARTBEAT)

    assert answer["outcome"] == "ended"
    assert session_of(world, life).sandbox is SandboxStatus.STALE


def test_the_end_of_the_lifetime_stops_the_turn_first():
    world = World()
    life = running(world, HOUR)
    world.pass_time(timedelta(minutes=50))

    answer = world.lives.question(life, Wait.SERVE, Clock.TIMEOUT)

    assert answer == {"outcome": "stopping", "seconds": 60}


def test_the_end_of_the_lifetime_of_an_idle_sandbox_ends_it():
    world = World()
    life = running(world, HOUR)
    finish(world, life, PromptStatus.FAILED)
    world.pass_time(timedelta(minutes=50))

    answer = world.lives.question(life, Wait.SERVE, Clock.TIMEOUT)

    assert answer["outcome"] == "ended"
    assert attempt_of(world, life).ending is Ending.LIFETIME


def test_a_stop_that_is_overdue_is_the_end_of_the_sandbox():
    world = World()
    life = running(world, HOUR)
    world.app.sessions.handle(life.session_id, Stop(ADA))
    world.pass_time(timedelta(seconds=15))

    answer = world.lives.question(life, Wait.STOP, Clock.TIMEOUT)

    record = world.app.store.prompt(life.session_id, 1)
    assert answer["outcome"] == "ended"
    assert attempt_of(world, life).ending is Ending.STALE
    assert record.status is PromptStatus.STOPPED


def test_a_question_that_comes_with_the_confirmation_goes_on_serving():
    world = World()
    life = running(world, HOUR)
    world.app.sessions.handle(life.session_id, Stop(ADA))
    finish(world, life, PromptStatus.STOPPED)

    answer = world.lives.question(life, Wait.STOP, Clock.TIMEOUT)

    assert answer == {"outcome": "stopped", "seconds": 50 * 60}


def test_a_question_while_a_copy_is_wanted_is_answered_with_that():
    world = World()
    life = saving(world)

    assert world.lives.question(life, Wait.SERVE, Clock.TIMEOUT)["outcome"] == "checkpoint"


@pytest.mark.parametrize("wait", list(Wait))
def test_the_seconds_of_an_answer_are_never_less_than_one(wait: Wait):
    world = World()
    life = running(world, HOUR)
    world.app.sessions.handle(life.session_id, Stop(ADA))
    world.pass_time(timedelta(hours=2))
    heard(world, life)

    assert world.lives.question(life, wait, Clock.HEARTBEAT)["seconds"] >= 1
    assert world.lives.checkpoint(life)["seconds"] >= 1


def test_an_unknown_end_is_asked_about_soon_but_not_before_silence_would_show():
    world = World()
    life = waiting(world)
    world.lives.launch(life)
    box = ProviderId(world.machine().info.provider_id)
    world.app.sessions.handle(life.session_id, Launched(1, box, None))
    come_up(world, life)
    world.lives.wait(life, Wait.READY, "r")

    assert world.workflow.seconds["r"] == 120


# Copies.


def test_after_a_copy_serving_goes_on_for_the_rest_of_the_time():
    world = World()
    life = running(world, HOUR)
    finish(world, life)
    world.pass_time(timedelta(minutes=1))

    answer = world.lives.checkpoint(life)

    assert answer == {"outcome": "go_on", "seconds": 49 * 60}
    assert attempt_of(world, life).idle_due is not None


def test_a_prompt_that_came_during_the_copy_may_be_stopped_already():
    world = World()
    life = running(world, HOUR)
    finish(world, life)
    world.submit(life.session_id, request_id="p2")
    world.lives.keeper.save(session_of(world, life), attempt_of(world, life), ProviderId("fake-1"))
    world.app.sessions.handle(life.session_id, Stop(ADA))

    answer = world.lives.checkpoint(life)

    assert answer == {"outcome": "stopping", "seconds": 15}


# The end.


def test_preserving_an_attempt_that_goes_on_gives_it_up():
    """Whatever led there: with the workflow over, nobody would look after it."""
    world = World()
    life = waiting(world)
    world.lives.launch(life)

    world.lives.preserve(life)

    session = session_of(world, life)
    assert attempt_of(world, life).ending is Ending.FAILED
    assert session.failures == (world.now,)
    assert world.app.store.prompt(life.session_id, 1).status is PromptStatus.FAILED


def test_the_end_is_done_once_however_often():
    world = World()
    life = running(world)
    world.app.sessions.handle(life.session_id, Cancel(ADA))

    for _ in range(2):
        end(world, life)

    assert calls(world, "pause") == ["pause"]
    assert session_of(world, life).attempt is None


def test_a_late_end_does_not_touch_the_next_attempt():
    world = World()
    session_id = put_away(world)
    world.submit(session_id, request_id="p2")
    world.lives.launch(Life(session_id, 2))

    end(world, Life(session_id, 1))

    attempt = world.app.sessions.load(session_id).attempt
    assert attempt is not None
    assert (attempt.number, attempt.ending) == (2, None)
    assert world.machine().info.state == "running"


def test_a_life_that_ended_too_soon_is_followed_by_another_that_adopts():
    world = World()
    life = running(world)

    world.lives.life_ended(life, 1)
    world.lives.life_ended(life, 1)

    assert world.workflow.started == [(life.session_id, 1, 1), (life.session_id, 1, 2)]
    assert world.lives.launch(life)["outcome"] == "launched"
    assert session_of(world, life).running is not None


def test_after_three_lives_the_next_ones_only_put_away():
    world = World()
    life = running(world)

    for number in (1, 2, 3):
        world.lives.life_ended(life, number)

    assert world.workflow.started[-1] == (life.session_id, 1, 4)
    assert world.lives.prepare(life)["outcome"] == "ended"
    assert world.app.store.prompt(life.session_id, 1).status is PromptStatus.FAILED


def test_a_launch_that_failed_before_the_bridge_came_leads_out():
    world = World()
    life = waiting(world)

    answer = world.lives.launch_failed(life, "busy", Failure.LIMITS)

    assert answer["outcome"] == "failed"
    assert attempt_of(world, life).ending is Ending.FAILED
