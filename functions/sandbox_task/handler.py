"""One step of `sandbox_life`, the workflow that is the life of an attempt."""

from typing import Any

from shared.edge.log import logger
from shared.edge.task import run_step
from shared.wiring.sandboxes import lives


def lambda_handler(event: dict[str, Any], _context: Any) -> dict[str, Any]:
    logger.set_correlation_id(f"{event['session']}-{event['attempt']}")
    answer = run_step(event, lives())
    logger.info("step", step=event["step"], outcome=answer.get("outcome"))
    return dict(answer)
