"""The bridge: connects at once, boots the workspace meanwhile, then runs what the server orders.

Started by the supervisor alone, with the launch file's content as its standard input.
"""

import argparse
import asyncio
import logging
import os
import signal
from contextlib import suppress
from datetime import timedelta

from sandbox_bridge import discretion, log, paths, processes
from sandbox_bridge.boot.report import BootFailed
from sandbox_bridge.exits import RETIRED
from sandbox_bridge.harness.seam import Harness
from sandbox_bridge.identity import from_stdin
from sandbox_bridge.version import VERSION
from sandbox_bridge.wiring import Bridge, BuildHarness, build_harness, compose
from shared.protocol.events import BootCompleted, Fatal, Ready

logger = logging.getLogger(__name__)

WAITS_TO_BE_RETIRED = timedelta(minutes=10)
CLOSES_WITHIN = timedelta(seconds=3)


def main(build: BuildHarness = build_harness) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--supervisor", type=int, required=True)
    processes.die_with(parser.parse_args().supervisor)
    places = paths.of(os.environ)
    log.to_file(places.state / "log/bridge.log")
    identity = from_stdin()
    redact = discretion.of(identity, os.environ, places)
    discretion.everywhere(redact)
    isolation = os.environ.get("OUTBOARD_ISOLATION", "")
    bridge = compose(identity, places, os.environ, build, redact)
    return asyncio.run(_until_terminated(bridge, isolation))


async def _until_terminated(bridge: Bridge, isolation: str) -> int:
    serving = asyncio.create_task(_serve(bridge, isolation))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, serving.cancel)
    with suppress(asyncio.CancelledError):
        logger.info("over", extra={"why": await serving})
    return RETIRED


async def _serve(bridge: Bridge, isolation: str) -> str:
    """Why the attempt is over for this bridge."""
    async with bridge.credentials:
        return await _attend(bridge, isolation)


async def _attend(bridge: Bridge, isolation: str) -> str:
    holding = asyncio.create_task(bridge.line.hold(bridge.turns))
    booting = asyncio.create_task(_boot(bridge, isolation))
    try:
        done, _ = await asyncio.wait({holding, booting}, return_when=asyncio.FIRST_COMPLETED)
        return done.pop().result()
    finally:
        await _end(bridge, holding, booting)


async def _boot(bridge: Bridge, isolation: str) -> str:
    """Returns when nobody retired a sandbox whose boot had failed."""
    try:
        await _boot_up(bridge, isolation)
    except BootFailed as failure:
        bridge.emit(Fatal(error=failure.told(bridge.redact), kind=failure.kind))
        bridge.turns.abandon()
        await _close(bridge.harness)
        await asyncio.sleep(WAITS_TO_BE_RETIRED.total_seconds())
        return "the boot failed and nobody retired this attempt"
    return await asyncio.get_running_loop().create_future()


async def _boot_up(bridge: Bridge, isolation: str) -> None:
    """Says `ready` once, and `boot_completed` if there was more to do after that.

    And before all when an earlier bridge here had come so far: its word of that may have died with
    it, and a boot that fails before it is over takes the sandbox along, with whatever is in it.
    """
    if bridge.boot.record.is_over:
        bridge.emit(BootCompleted())
    said: list[Ready] = []

    def ready() -> None:
        name, complete = bridge.harness.name, bridge.gate.is_open
        said.append(
            Ready(complete=complete, harness=name, runtime_version=VERSION, isolation=isolation)
        )
        bridge.emit(said[0])
        bridge.turns.begin()

    await bridge.boot.run(ready)
    if not said[0].complete:
        bridge.emit(BootCompleted())


async def _end(bridge: Bridge, *tasks: asyncio.Task[str]) -> None:
    bridge.turns.abandon()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await bridge.changes.close()
    await _close(bridge.harness)


async def _close(harness: Harness) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(CLOSES_WITHIN.total_seconds()):
            await harness.close()


if __name__ == "__main__":
    raise SystemExit(main())
