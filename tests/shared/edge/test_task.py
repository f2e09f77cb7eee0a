"""The steps as Step Functions calls them: what each is asked, and what it answers."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from infra.sandbox_life import definition
from shared.app.lives import Life
from shared.domain.session.commands import Stop
from shared.domain.session.failures import ADVICE, Failure
from shared.domain.session.sandbox import SandboxStatus
from shared.domain.session.state import PromptStatus, UserId
from shared.edge.task import run_step
from tests.shared.app.stories import (
    attempt_of,
    finish,
    running,
    saving,
    serving,
    session_of,
    waiting,
)
from tests.world import World

SILENT = {"step": "question", "wait": "serve", "clock": "heartbeat"}
LATE = {"step": "question", "wait": "connect", "clock": "timeout"}


def step(world: World, life: Life, said: Mapping[str, Any]) -> Mapping[str, Any]:
    event = {"session": life.session_id, "attempt": life.attempt, "life": 1, **said}
    return run_step(event, world.lives)


def test_preparing_says_whether_there_is_something_to_launch():
    world = World()
    life = waiting(world)
    before = step(world, life, {"step": "prepare"})
    step(world, life, {"step": "launch_failed", "error": {"Error": "SandboxLimited"}})

    after = step(world, life, {"step": "prepare"})

    assert before == {"outcome": "launch", "heartbeatSeconds": 90, "seconds": 91}
    assert after == {"outcome": "ended", "heartbeatSeconds": 90, "seconds": 91}


def test_a_launch_says_how_long_the_bridge_may_take_to_connect():
    world = World()

    assert step(world, waiting(world), {"step": "launch"}) == {
        "outcome": "launched",
        "seconds": 240,
    }


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        ({"Error": "SandboxLimited", "Cause": "429"}, Failure.LIMITS),
        ({"Error": "SandboxUnavailable"}, Failure.TRANSIENT),
        ({"Error": "SandboxRefused"}, Failure.PERMANENT),
        ({"Error": "States.Timeout"}, Failure.UNKNOWN),
        ({}, Failure.UNKNOWN),
        (None, Failure.UNKNOWN),
    ],
)
def test_a_failed_launch_names_the_class_of_the_error_and_what_to_do(
    error: dict[str, str] | None, failure: Failure
):
    world = World()
    life = waiting(world)

    answer = step(world, life, {"step": "launch_failed", "error": error})

    told = session_of(world, life).error or ""
    assert answer["outcome"] == "failed"
    assert (error or {}).get("Error", "unknown") in told
    assert told.endswith(ADVICE[failure])


def test_the_text_of_an_error_stays_in_the_logs():
    world = World()
    life = waiting(world)
    error = {"Error": "SandboxUnavailable", "Cause": '{"errorMessage": "key e2b_secret"}'}

    step(world, life, {"step": "launch_failed", "error": error})

    record = world.app.store.prompt(life.session_id, 1)
    assert "e2b_secret" not in repr(record)
    assert "e2b_secret" not in repr(session_of(world, life))


def test_a_failed_launch_of_a_bridge_that_is_there_was_launched():
    world = World()

    answer = step(world, running(world), {"step": "launch_failed", "error": {"Error": "x"}})

    assert answer["outcome"] == "launched"
    assert answer["seconds"] >= 1


def test_a_wait_is_answered_by_its_token_and_not_by_the_step():
    world = World()
    life = running(world)

    answer = step(world, life, {"step": "await", "wait": "ready", "token": "t"})

    assert answer == {"outcome": "done"}
    assert world.workflow.completed == {"t": "ready"}


def test_a_question_is_answered_with_an_outcome_and_the_seconds_of_what_follows():
    world = World()
    life = running(world)
    world.app.sessions.handle(life.session_id, Stop(UserId("ada")))

    answer = step(world, life, SILENT)

    assert answer == {"outcome": "stopping", "seconds": 15}


def test_a_question_may_end_the_attempt():
    world = World()
    life = waiting(world)
    step(world, life, {"step": "launch"})

    assert step(world, life, LATE)["outcome"] == "ended"
    assert session_of(world, life).sandbox is SandboxStatus.FAILED


def test_a_checkpoint_goes_on_with_serving():
    world = World()
    life = saving(world)

    answer = step(world, life, {"step": "checkpoint"})

    assert answer["outcome"] == "go_on"
    assert answer["seconds"] > 3600
    assert session_of(world, life).workspace.snapshot is not None


def test_a_checkpoint_that_failed_goes_on_with_serving():
    world = World()
    life = saving(world)

    answer = step(world, life, {"step": "checkpoint_failed"})

    assert answer["outcome"] == "go_on"
    assert attempt_of(world, life).save_error is not None


def test_the_end_is_preserving_and_retiring():
    world = World()
    life = serving(world)

    answers = [step(world, life, {"step": name}) for name in ("preserve", "retire")]

    assert answers == [{"outcome": "done"}] * 2
    assert session_of(world, life).attempt is None
    assert world.machine().info.state == "paused"


def test_a_life_that_ended_is_followed_by_the_next():
    world = World()
    life = running(world)

    step(world, life, {"step": "life_ended"})

    assert world.workflow.started[-1] == (life.session_id, 1, 2)


@pytest.mark.parametrize("name", ["dance", "", "Prepare"])
def test_a_step_that_nobody_knows_is_an_error_for_the_workflow(name: str):
    with pytest.raises(ValueError, match="asks for"):
        step(World(), Life(World().open_session(), 1), {"step": name})


def steps_of_the_machine() -> dict[str, dict[str, Any]]:
    """What each task of the definition is told, by the name of its state."""
    told: dict[str, dict[str, Any]] = {}
    for state, content in definition()["States"].items():
        if content["Type"] == "Task":
            parameters = content["Parameters"].get("Payload", content["Parameters"])
            told[state] = {name.removesuffix(".$"): value for name, value in parameters.items()}
    return told


STEPS = steps_of_the_machine()


@pytest.mark.parametrize("state", STEPS)
@pytest.mark.parametrize("begun", [waiting, running, saving, serving])
def test_every_step_that_the_machine_asks_for_is_known(begun, state: str):
    world = World()
    life, said = begun(world), STEPS[state]
    given = {"wait": "serve", "clock": "heartbeat", "token": "t", "error": {"Error": "e"}}
    known = {name: given[name] for name in said.keys() & given.keys()}
    known |= {name: value for name, value in said.items() if name == "wait" and "$" not in value}

    answer = step(world, life, {"step": said["step"], **known})

    assert isinstance(answer["outcome"], str)
    assert json.loads(json.dumps(dict(answer))) == dict(answer)


def outcomes_of(state: str) -> set[str]:
    return {way["StringEquals"] for way in definition()["States"][state]["Choices"]}


def test_every_outcome_has_a_way_in_the_machine_that_leads_where_it_says():
    """What is not named leads out: `ended`, `failed`, and nothing else."""
    assert outcomes_of("Prepared") == {"launch"}
    assert outcomes_of("Launched") == {"launched"}
    assert outcomes_of("Connected") == {"connected"}
    assert outcomes_of("Ready") == {"ready"}
    assert outcomes_of("Served") == {"checkpoint", "stopping"}
    assert outcomes_of("Stopped") == {"stopped"}
    assert outcomes_of("Saved") == {"go_on", "checkpoint", "stopping"}
    assert outcomes_of("Answered") == {
        *("go_on", "connected", "ready", "checkpoint", "stopping", "stopped"),
    }


def test_steps_whose_answers_were_lost_finish_no_prompt_twice():
    world = World()
    life = running(world)
    finish(world, life)

    for name in ("checkpoint", "preserve", "retire") * 2:
        step(world, life, {"step": name})

    assert world.app.store.prompt(life.session_id, 1).status is PromptStatus.COMPLETED
    assert world.workflow.started == [(life.session_id, 1, 1)]
