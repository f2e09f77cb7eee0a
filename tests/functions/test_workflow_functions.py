"""The functions that nobody waits for: workflow steps, the poke, the sweep."""

import os
import subprocess
import sys

import pytest

from shared.app.launching import SUPERVISOR
from shared.app.lives import Life
from shared.domain.session.commands import BecomeReady, Connect, FinishPrompt
from shared.domain.session.state import PromptStatus, SessionId
from shared.edge.task import run_step
from tests.events import ROOT, sample
from tests.world import World


def waiting(world: World) -> SessionId:
    session_id = world.open_session()
    world.submit(session_id)
    return session_id


def test_the_sample_launch_starts_a_sandbox():
    world = World()
    session_id = waiting(world)

    answer = run_step(sample("sandbox_task/launch", SESSION=session_id), world.lives)

    assert answer == {"outcome": "launched", "seconds": 240}
    assert world.machine().started == [SUPERVISOR]


def test_the_sample_wait_keeps_its_token_until_the_bridge_comes():
    world = World()
    session_id = waiting(world)

    run_step(sample("sandbox_task/await", SESSION=session_id), world.lives)
    before = dict(world.workflow.completed)
    world.app.sessions.handle(session_id, Connect(1))

    assert before == {}
    assert world.workflow.completed == {"t1": "connected"}


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        ({"step": "prepare"}, "launch"),
        ({"step": "question", "wait": "connect", "clock": "timeout"}, "ended"),
        ({"step": "launch_failed", "error": {"Error": "SandboxUnavailable"}}, "failed"),
        ({"step": "preserve"}, "done"),
        ({"step": "retire"}, "done"),
    ],
    ids=lambda value: value["step"] if isinstance(value, dict) else value,
)
def test_every_step_answers_with_its_outcome(step: dict[str, object], outcome: str):
    world = World()
    session_id = waiting(world)

    answer = run_step({"session": session_id, "attempt": 1, "life": 1, **step}, world.lives)

    assert answer["outcome"] == outcome


def test_a_life_that_could_not_save_the_files_is_followed_by_another():
    world = World()
    session_id = waiting(world)

    run_step({"step": "life_ended", "session": session_id, "attempt": 1, "life": 1}, world.lives)

    assert world.workflow.started == [(session_id, 1, 1), (session_id, 1, 2)]


def test_a_step_that_nobody_knows_is_an_error_for_the_workflow():
    with pytest.raises(ValueError, match="'dance'"):
        run_step({"step": "dance", "session": "s", "attempt": 1}, World().lives)


def test_the_sample_poke_pauses_an_idle_sandbox_when_it_is_due():
    world = World()
    session_id = waiting(world)
    world.lives.launch(Life(session_id, 1))
    for command in (
        Connect(1),
        BecomeReady(1),
        FinishPrompt(attempt=1, prompt=1, status=PromptStatus.COMPLETED),
    ):
        world.app.sessions.handle(session_id, command)
    world.lives.checkpoint(Life(session_id, 1))
    event = sample("inactivity/poke", SESSION=session_id)
    due = world.timers.due[session_id, 1]

    world.app.idleness.poke(SessionId(event["session"]), event["attempt"])
    early = world.app.sessions.load(session_id).sandbox
    world.now = due
    world.app.idleness.poke(SessionId(event["session"]), event["attempt"])

    assert (early, world.app.sessions.load(session_id).sandbox) == ("ready", "stopped")


FUNCTIONS = sorted(path.parent.name for path in (ROOT.parent / "functions").glob("*/handler.py"))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_each_function_has_a_sample_and_loads_without_any_environment(function: str):
    code = f"from functions.{function}.handler import lambda_handler as h; assert callable(h)"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT.parent)}

    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )

    assert list((ROOT / function).glob("*.json"))
    assert (done.returncode, done.stderr) == (0, "")
