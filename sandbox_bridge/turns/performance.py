"""One turn of the agent: it runs until it ends, fails, or is stopped, and then nothing of it runs.

What a harness raises is its outcome. When it can't say for certain that a stopped turn's tools are
gone, the agent is closed and started again, which is.
"""

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from math import isfinite

from sandbox_bridge.harness.seam import Harness, HarnessFailed, Outcome, Turn
from sandbox_bridge.turns.stage import Stage

logger = logging.getLogger(__name__)

STOP_WITHIN = timedelta(seconds=20)
CLOSE_WITHIN = timedelta(seconds=10)


class HarnessLost(Exception):
    """The agent could not be started again."""


async def perform(
    harness: Harness,
    turn: Turn,
    stage: Stage,
    stop: asyncio.Event,
    *,
    patience: timedelta = STOP_WITHIN,
) -> Outcome:
    """Raises `HarnessLost`; nothing of the turn runs then either."""
    running = asyncio.create_task(harness.run(turn, stage))
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not running.done() or running.exception():
            await _contain(harness, running, patience)
    finally:
        running.cancel()
        stopping.cancel()
        stage.close()
    return _costed(_outcome(running, stopped=stop.is_set()), stage)


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
    return replace(outcome, cost=max(told, stage.cost))


async def _contain(harness: Harness, running: asyncio.Task[Outcome], patience: timedelta) -> None:
    certain = await _within(patience, asyncio.create_task(harness.stop_turn()))
    await asyncio.wait({running}, timeout=patience.total_seconds())
    if certain and running.done():
        return
    logger.warning("harness restarted", extra={"certain": certain, "ended": running.done()})
    running.cancel()
    await asyncio.wait({running}, timeout=CLOSE_WITHIN.total_seconds())
    await _within(CLOSE_WITHIN, asyncio.create_task(harness.close()))
    starting = asyncio.create_task(harness.start())
    await asyncio.wait({starting})
    if error := starting.exception():
        raise HarnessLost(str(error)) from error


async def _within[T](limit: timedelta, task: asyncio.Task[T]) -> T | None:
    """Its result, or None if it raised or was too slow."""
    await asyncio.wait({task}, timeout=limit.total_seconds())
    if not task.done():
        task.cancel()
        return None
    if error := task.exception():
        logger.error("harness", exc_info=error)
        return None
    return task.result()
