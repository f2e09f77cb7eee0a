import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from sandbox_bridge.harness.seam import HarnessFailed, Outcome, Turn
from sandbox_bridge.turns.performance import HarnessLost, perform
from sandbox_bridge.turns.stage import Stage
from shared.protocol.events import BridgeEvent, StepFinished
from tests.fakes.harness import STEP_COST, FakeHarness

PATIENCE = timedelta(seconds=0.2)


def performed(harness: FakeHarness, text: str, *, stopped: bool = False) -> Outcome:
    said: list[BridgeEvent] = []

    async def run() -> Outcome:
        stop = asyncio.Event()
        task = asyncio.create_task(
            perform(harness, Turn(1, text, "m"), Stage(1, said.append), stop, patience=PATIENCE)
        )
        await asyncio.sleep(0)
        if stopped:
            stop.set()
        return await task

    return asyncio.run(run())


@pytest.fixture
def harness(tmp_path: Path) -> FakeHarness:
    return FakeHarness(tmp_path, {"PATH": "/usr/bin:/bin"})


def test_a_turn_ends_as_the_harness_says(harness: FakeHarness):
    assert performed(harness, "say hello") == Outcome("completed", cost=STEP_COST)
    assert performed(harness, "fail no credit") == Outcome("failed", "no credit")


def test_a_stopped_turn_is_stopped(harness: FakeHarness):
    assert performed(harness, "wait", stopped=True) == Outcome("stopped", cost=STEP_COST)
    assert harness.starts == 0


def test_what_the_harness_raises_is_how_the_turn_failed(harness: FakeHarness):
    outcome = performed(harness, "break")

    assert outcome == Outcome("failed", "the agent failed: RuntimeError: broken")


def test_a_harness_that_cannot_be_sure_is_closed_and_started_again(harness: FakeHarness):
    harness.stoppable = False

    outcome = performed(harness, "wait", stopped=True)

    assert outcome.status == "stopped"
    assert harness.starts == 1


def test_a_turn_that_does_not_end_is_ended(harness: FakeHarness):
    outcome = performed(harness, "ignore", stopped=True)

    assert outcome == Outcome("stopped")
    assert harness.starts == 1


def test_an_agent_that_does_not_start_again_is_lost(harness: FakeHarness):
    async def refuse() -> None:
        raise HarnessFailed("no model can be reached")

    harness.stoppable = False
    harness.start = refuse

    with pytest.raises(HarnessLost, match="no model"):
        performed(harness, "wait", stopped=True)


def test_a_turn_that_was_over_before_the_stop_came_stays_completed(harness: FakeHarness):
    assert performed(harness, "say hello", stopped=True).status == "completed"


def test_the_cost_is_at_least_what_was_seen():
    said: list[BridgeEvent] = []
    stage = Stage(1, said.append)

    stage(StepFinished(prompt=1, cost=0.5))
    stage(StepFinished(prompt=1, cost=0.25))
    stage.close()
    stage(StepFinished(prompt=1, cost=9.0))

    assert stage.cost == 0.75
    assert len(said) == 2
