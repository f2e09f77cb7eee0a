"""Every ten minutes: what has become of pull requests, whether or not a webhook told of it."""

from typing import Any

from shared.edge.log import logger
from shared.wiring.sweeps import pull_request_sweep


def lambda_handler(_event: dict[str, Any], _context: Any) -> dict[str, int]:
    done = dict(pull_request_sweep().sweep())
    logger.info("pull_requests_swept", done=done)
    return done
