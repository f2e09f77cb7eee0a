"""Every five minutes: what nobody looks after is found, and looked after."""

from typing import Any

from shared.edge.log import logger
from shared.wiring.sandboxes import reaper


def lambda_handler(_event: dict[str, Any], _context: Any) -> dict[str, int]:
    done = dict(reaper().reap())
    logger.info("reaper", done=done)
    return done
