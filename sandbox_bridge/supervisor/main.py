"""The supervisor: takes the launch file, and keeps a bridge for it until the attempt is over."""

import logging
import os
import sys
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from pydantic import ValidationError

from sandbox_bridge import discretion, log, paths, processes
from sandbox_bridge import identity as launch
from sandbox_bridge.environment import MARKER
from sandbox_bridge.exits import GAVE_UP, RETIRED, UNUSABLE
from sandbox_bridge.paths import Paths
from sandbox_bridge.redaction import Redactor
from sandbox_bridge.supervisor import lock
from sandbox_bridge.supervisor.keeper import Keeper
from sandbox_bridge.supervisor.restarts import Restarts
from shared.protocol.bridge import Identity

logger = logging.getLogger(__name__)

BRIDGE: Final = (sys.executable, "-m", "sandbox_bridge.bridge")
SWEPT_WITHIN = timedelta(seconds=10)


def main(bridge: Sequence[str] = BRIDGE) -> int:
    places = paths.of(os.environ)
    log.to_file(places.state / "log/supervisor.log")
    content = launch.claim(places.identity)
    if content is None:
        logger.info("nothing to launch")
        return RETIRED
    try:
        identity = launch.parse(content)
    except ValidationError as error:
        # The values stay out of the log: one of them is the token.
        logger.error("launch file", extra={"wrong": [each["loc"] for each in error.errors()]})  # noqa: TRY400
        return UNUSABLE
    redact = discretion.of(identity, os.environ, places)
    discretion.everywhere(redact)
    return _supervise(bridge, places, identity, content, redact)


def _supervise(
    bridge: Sequence[str], places: Paths, identity: Identity, content: bytes, redact: Redactor
) -> int:
    me = lock.Holder(os.getpid(), identity.session, identity.attempt)
    if not lock.take(places.runtime / "supervisor.lock", me):
        logger.info("a newer attempt is here")
        return RETIRED
    processes.adopt_orphans()
    if not _sweep(places):
        return GAVE_UP
    logger.info("launched", extra={"session_id": identity.session, "attempt": identity.attempt})
    keeper = Keeper(
        bridge,
        content,
        redact=redact,
        variables={MARKER: str(places.runtime)},
        restarts=Restarts(),
    )
    return keeper.run()


def _sweep(places: Paths) -> bool:
    """End what the bridge of a supervisor that was killed has left behind."""

    def leftovers() -> list[int]:
        return processes.marked(MARKER, str(places.runtime))

    return processes.end_all(leftovers, SWEPT_WITHIN)
