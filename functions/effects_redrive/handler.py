"""The one-minute sweep: effects that nobody has finished yet."""

from typing import Any

from shared.edge.log import logger
from shared.wiring import app


def lambda_handler(_event: dict[str, Any], _context: Any) -> dict[str, int]:
    done = app().effects.sweep()
    if done:
        logger.info("effects_redriven", done=done)
    return {"done": done}
