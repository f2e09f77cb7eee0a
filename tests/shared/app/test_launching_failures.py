"""Why no sandbox came up: what is tried again, what is not, and what people are told."""

from datetime import timedelta

import pytest

from shared.app.launching import CREATIONS, SHORT_WAIT, failure_of
from shared.app.lives import Life
from shared.app.ports.sandboxes import (
    AccessRefused,
    SandboxLimited,
    SandboxRefused,
    SandboxUnavailable,
    SnapshotGone,
)
from shared.domain.errors import Unavailable
from shared.domain.session.failures import ADVICE, Failure
from shared.domain.session.sandbox import Boot, Ending, SandboxStatus
from shared.domain.session.state import PromptStatus
from tests import build
from tests.shared.app.stories import (
    attempt_of,
    calls,
    end,
    identity_in,
    next_prompt,
    put_away,
    session_of,
    waiting,
)
from tests.world import World

IMAGE = "team/tool:1"


@pytest.mark.parametrize(
    "error",
    [SandboxUnavailable("no answer"), SandboxLimited("too many", timedelta(seconds=3))],
    ids=["busy", "limited"],
)
def test_what_may_pass_is_for_the_workflow_to_retry(error: Exception):
    world = World()
    life = waiting(world)
    world.sandboxes.fail_next_of("create", error)

    with pytest.raises(type(error)):
        world.lives.launch(life)

    assert attempt_of(world, life).ending is None
    assert session_of(world, life).queue


def test_secrets_that_cannot_be_read_make_no_sandbox():
    world = World()
    life = waiting(world)
    world.secrets.failure = Unavailable("no answer")

    with pytest.raises(Unavailable):
        world.lives.launch(life)

    assert world.sandboxes.calls == []


def test_a_refusal_fails_the_prompt_that_waited_and_says_who_can_help():
    world = World()
    life = waiting(world)
    world.sandboxes.fail_next_of("create", SandboxRefused("no template 'outboard'"))

    answer = world.lives.launch(life)

    session, record = session_of(world, life), world.app.store.prompt(life.session_id, 1)
    assert answer["outcome"] == "failed"
    assert record.status is PromptStatus.FAILED
    assert "no template 'outboard'" in (record.error or "")
    assert (record.error or "").endswith(ADVICE[Failure.PERMANENT])
    assert (session.sandbox, session.error) == (SandboxStatus.FAILED, record.error)
    assert session.failures == (world.now,)


@pytest.mark.parametrize(
    ("error", "failed_wakes"),
    [(SandboxRefused("its image is too old"), 1), (AccessRefused("what key is that?"), 0)],
    ids=["it", "everybody"],
)
def test_what_is_refused_to_this_sandbox_alone_is_held_against_its_files(
    error: Exception, failed_wakes: int
):
    world = World()
    life = next_prompt(world, put_away(world))
    world.sandboxes.fail_next_of("resume", error)

    world.lives.launch(life)

    assert session_of(world, life).workspace.failed_wakes == failed_wakes


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        ("SandboxLimited", Failure.LIMITS),
        ("SandboxUnavailable", Failure.TRANSIENT),
        ("Unavailable", Failure.TRANSIENT),
        ("Contended", Failure.TRANSIENT),
        ("SecretsUnavailable", Failure.SECRETS),
        ("SandboxRefused", Failure.PERMANENT),
        ("AccessRefused", Failure.PERMANENT),
        ("States.Timeout", Failure.UNKNOWN),
        ("Sandbox.Timedout", Failure.UNKNOWN),
        ("KeyError", Failure.UNKNOWN),
        ("unknown", Failure.UNKNOWN),
    ],
)
def test_the_workflow_knows_an_error_by_its_class(error: str, failure: Failure):
    assert failure_of(error) is failure


def test_the_classes_have_the_names_that_the_workflow_branches_on():
    """Step Functions is told the name of the class: these are an interface."""
    named = (SandboxLimited, SandboxUnavailable, SandboxRefused, Unavailable)

    assert [failure_of(error.__name__) for error in named] == [
        Failure.LIMITS,
        Failure.TRANSIENT,
        Failure.PERMANENT,
        Failure.TRANSIENT,
    ]


@pytest.mark.parametrize("failure", [Failure.LIMITS, Failure.TRANSIENT])
def test_a_provider_that_is_busy_for_too_long_fails_the_prompt_but_opens_no_breaker(
    failure: Failure,
):
    world = World()
    session_id = world.open_session()
    for number in range(1, 5):
        world.submit(session_id, request_id=f"p{number}")
        life = Life(session_id, number)
        world.lives.launch_failed(life, "no sandbox could be started", failure)
        end(world, life)

    session = world.app.sessions.load(session_id)
    assert session.attempts == 4
    assert (session.failures, session.retry_at) == ((), None)
    assert (session.error or "").endswith(ADVICE[failure])


def test_what_would_fail_again_is_put_off_after_three_times():
    world = World()
    session_id = world.open_session()
    for number in range(1, 4):
        world.submit(session_id, request_id=f"p{number}")
        world.sandboxes.fail_next_of("create", SandboxRefused("no template"))
        life = Life(session_id, number)
        world.lives.launch(life)
        end(world, life)

    world.submit(session_id, request_id="p4")

    session = world.app.sessions.load(session_id)
    assert session.attempt is None
    assert session.retry_at == world.now + timedelta(minutes=5)
    assert len(session.queue) == 1


def test_the_error_is_shown_until_the_next_sandbox_is_ready():
    world = World()
    life = waiting(world)
    world.lives.launch_failed(life, "no sandbox could be started", Failure.LIMITS)
    end(world, life)
    again = next_prompt(world, life.session_id)
    before = session_of(world, again).error

    world.lives.launch(again)

    assert before is not None
    assert session_of(world, again).error == before


# A prebuilt image.


def imaged(world: World) -> Life:
    world.images.register((build.repository(),), IMAGE)
    life = waiting(world)
    world.lives.prepare(life)
    return life


@pytest.mark.parametrize(
    "error", [SandboxRefused("it does not start"), SnapshotGone("no image")], ids=["bad", "gone"]
)
def test_an_image_that_cannot_be_used_costs_an_attempt_and_no_prompt(error: Exception):
    world = World()
    life = imaged(world)
    world.sandboxes.fail_next_of("create", error)

    answer = world.lives.launch(life)
    ending = attempt_of(world, life).ending
    end(world, life)

    session = session_of(world, life)
    assert answer["outcome"] == "failed"
    assert ending is Ending.IMAGE
    assert [prompt.number for prompt in session.queue] == [1]
    assert session.attempt is not None
    assert (session.attempt.number, session.attempt.boot) == (2, Boot.FRESH)


def test_the_attempt_after_a_refused_image_does_without():
    world = World()
    life = imaged(world)
    world.sandboxes.fail_next_of("create", SandboxRefused("it does not start"))
    world.lives.launch(life)
    end(world, life)

    again = Life(life.session_id, 2)
    world.lives.prepare(again)
    world.lives.launch(again)

    assert identity_in(world.machine()).boot == "fresh"


def test_a_busy_provider_says_nothing_about_an_image():
    world = World()
    life = imaged(world)

    world.lives.launch_failed(life, "busy", Failure.TRANSIENT)

    assert attempt_of(world, life).ending is Ending.FAILED
    assert not session_of(world, life).image_refused


def test_what_was_made_from_an_image_that_did_not_come_up_is_killed():
    world = World()
    life = imaged(world)
    world.sandboxes.copies[IMAGE] = {}
    world.sandboxes.fail_next_of("start", SandboxRefused("no supervisor in it"))

    world.lives.launch(life)
    end(world, life)

    assert world.sandboxes.machines == {}


def test_without_the_images_a_boot_is_not_prepared():
    """Nobody knows then whether there is one, and the workflow tries again."""
    world = World()
    life = waiting(world)
    world.images.failure = Unavailable("no answer")

    with pytest.raises(Unavailable):
        world.lives.prepare(life)


# Our own rate of creations.


def crowd(world: World, many: int) -> None:
    """Others have just asked for so many."""
    for _ in range(many):
        world.ports.rates.reserve(CREATIONS, world.now, world.lives.launcher.creations)


def test_who_has_to_wait_shortly_for_a_turn_does():
    world = World()
    life = waiting(world)
    crowd(world, 3)

    world.lives.launch(life)

    interval = world.lives.launcher.creations.every.total_seconds()
    assert world.slept == [3 * interval]
    assert len(world.sandboxes.machines) == 1


def test_who_would_wait_for_long_is_sent_to_the_workflow_and_takes_no_place():
    world = World()
    life = waiting(world)
    every = world.lives.launcher.creations.every
    crowd(world, int(SHORT_WAIT / every) + 2)

    with pytest.raises(SandboxLimited) as first:
        world.lives.launch(life)
    with pytest.raises(SandboxLimited) as second:
        world.lives.launch(life)

    waits = [limited.value.retry_after for limited in (first, second)]
    assert waits == [SHORT_WAIT + 2 * every] * 2
    assert world.slept == []
    assert calls(world, "create") == []
    assert attempt_of(world, life).ending is None


def test_waking_up_takes_no_turn():
    world = World()
    life = next_prompt(world, put_away(world))
    crowd(world, 100)

    world.lives.launch(life)

    assert world.slept == []
    assert world.machine().info.state == "running"


def test_adopting_takes_no_turn():
    world = World()
    life = waiting(world)
    world.lives.launch(life)
    crowd(world, 100)

    world.lives.launch(life)

    assert world.slept == []
