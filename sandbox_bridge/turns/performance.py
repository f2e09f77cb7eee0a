"""One turn of the agent: it runs until it ends, fails, or is stopped, and then nothing of it runs.

What a harness raises is its outcome. When it can't say in time that a stopped turn's tools are
gone, the agent is closed with all that it ever started; who asked for the stop does not wait until
it is up again.
"""

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from math import isfinite
from typing import Any

from sandbox_bridge.harness.seam import Harness, HarnessFailed, Outcome, Turn
from sandbox_bridge.turns.stage import Stage

logger = logging.getLogger(__name__)

STOP_WITHIN = timedelta(seconds=7)
CLOSE_WITHIN = timedelta(seconds=4)
"""Both together leave the answer time to arrive: the server waits 15 s for it."""


@dataclass(frozen=True, slots=True)
class Performed:
    """`closed`: the agent takes no turn before it has been started again."""

    outcome: Outcome
    closed: bool = False


async def perform(
    harness: Harness,
    turn: Turn,
    stage: Stage,
    stop: asyncio.Event,
    *,
    patience: timedelta = STOP_WITHIN,
) -> Performed:
    running = asyncio.create_task(harness.run(turn, stage))
    stopping = asyncio.create_task(stop.wait())
    contained = True
    try:
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not running.done() or running.exception():
            contained = await _contain(harness, running, patience)
    finally:
        running.cancel()
        stopping.cancel()
        stage.close()
    outcome = _costed(_outcome(running, stopped=stop.is_set()), stage)
    return Performed(outcome, closed=not contained)


def _outcome(running: asyncio.Task[Outcome], *, stopped: bool) -> Outcome:
    if running.done() and not running.cancelled() and not running.exception():
        outcome = running.result()
        # A turn that was over before it could be stopped ended as it says.
        return (
            replace(outcome, status="stopped", error=None)
            if _is_cut(outcome, stopped=stopped)
            else outcome
        )
    if stopped:
        return Outcome("stopped")
    error = running.exception()
    logger.error("harness", exc_info=error)
    told = str(error) if isinstance(error, HarnessFailed) else f"{type(error).__name__}: {error}"
    return Outcome("failed", f"the agent failed: {told}")


def _is_cut(outcome: Outcome, *, stopped: bool) -> bool:
    return stopped and outcome.status != "completed"


def _costed(outcome: Outcome, stage: Stage) -> Outcome:
    told = outcome.cost if isfinite(outcome.cost) else 0.0
    return replace(outcome, cost=max(told, stage.cost), tokens=stage.tokens)


async def _contain(harness: Harness, running: asyncio.Task[Outcome], patience: timedelta) -> bool:
    """False: the harness did not do it, and was closed."""
    stopping = asyncio.create_task(harness.stop_turn())
    await asyncio.wait({stopping, running}, timeout=patience.total_seconds())
    certain = _result(stopping)
    if certain and running.done():
        return True
    logger.warning("harness closed", extra={"certain": certain, "ended": running.done()})
    running.cancel()
    stopping.cancel()
    closing = asyncio.create_task(harness.close())
    await asyncio.wait({running, stopping, closing}, timeout=CLOSE_WITHIN.total_seconds())
    _result(closing)
    return False


def _result(task: asyncio.Task[Any]) -> Any:
    """None if it raised or was too slow."""
    if not task.done():
        task.cancel()
        return None
    if task.cancelled():
        return None
    if error := task.exception():
        logger.error("harness", exc_info=error)
        return None
    return task.result()
