import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from sandbox_bridge.harness.seam import Outcome, Turn
from sandbox_bridge.turns.performance import CLOSE_WITHIN, STOP_WITHIN, Performed, perform
from sandbox_bridge.turns.stage import Stage
from shared.domain.tokens import Tokens
from shared.protocol.events import BridgeEvent, StepFinished
from tests.fakes.harness import STEP_COST, FakeHarness

PATIENCE = timedelta(seconds=0.2)


def performed(harness: FakeHarness, text: str, *, stopped: bool = False) -> Performed:
    said: list[BridgeEvent] = []

    async def run() -> Performed:
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
    assert performed(harness, "say hello") == Performed(Outcome("completed", cost=STEP_COST))
    assert performed(harness, "fail no credit") == Performed(Outcome("failed", "no credit"))


def test_tokens_are_counted_from_the_steps_while_they_count():
    stage = Stage(1, lambda _: None)

    stage(StepFinished(prompt=1, tokens={"input": 5, "cache_write": 2, "output": 3}))
    stage(StepFinished(prompt=1, tokens={"reasoning": 4, "cache_read": 9, "of tomorrow": 1}))
    stage.close()
    stage(StepFinished(prompt=1, tokens={"input": 100}))

    assert stage.tokens == Tokens(input=7, output=7, cached=9)


def test_a_stopped_turn_is_stopped(harness: FakeHarness):
    outcome = Outcome("stopped", cost=STEP_COST)

    assert performed(harness, "wait", stopped=True) == Performed(outcome)
    assert harness.closes == 0


def test_what_the_harness_raises_is_how_the_turn_failed(harness: FakeHarness):
    outcome = Outcome("failed", "the agent failed: RuntimeError: broken")

    assert performed(harness, "break") == Performed(outcome)


def test_a_harness_that_cannot_be_sure_is_closed(harness: FakeHarness):
    harness.stoppable = False

    stopped = performed(harness, "wait", stopped=True)

    assert stopped == Performed(Outcome("stopped", cost=STEP_COST), closed=True)
    assert harness.closes == 1


def test_a_turn_that_does_not_end_is_ended(harness: FakeHarness):
    stopped = performed(harness, "ignore", stopped=True)

    assert stopped == Performed(Outcome("stopped"), closed=True)
    assert harness.closes == 1


def test_a_harness_that_hangs_in_everything_it_is_asked_holds_up_no_answer(harness: FakeHarness):
    async def hang() -> bool:
        return bool(await asyncio.Event().wait())

    async def close() -> None:
        raise OSError("no more processes")

    harness.stop_turn = hang
    harness.close = close

    assert performed(harness, "ignore", stopped=True) == Performed(Outcome("stopped"), closed=True)


def test_the_answer_to_a_stop_has_time_to_arrive():
    assert (STOP_WITHIN + CLOSE_WITHIN).total_seconds() <= 12


def test_a_turn_that_was_over_before_the_stop_came_stays_completed(harness: FakeHarness):
    assert performed(harness, "say hello", stopped=True).outcome.status == "completed"


def test_the_cost_is_at_least_what_was_seen():
    said: list[BridgeEvent] = []
    stage = Stage(1, said.append)

    stage(StepFinished(prompt=1, cost=0.5))
    stage(StepFinished(prompt=1, cost=0.25))
    stage.close()
    stage(StepFinished(prompt=1, cost=9.0))

    assert stage.cost == 0.75
    assert len(said) == 2
