"""What a harness may say during one turn: anything but what the bridge alone decides."""

import logging

from sandbox_bridge.harness.seam import Emit
from shared.domain.tokens import NO_TOKENS
from shared.protocol.events import CHANGES_STATE, BridgeEvent, StepFinished
from shared.protocol.tokens import of_step

logger = logging.getLogger(__name__)


class Stage:
    """An `Emit` that ends with its turn."""

    def __init__(self, prompt: int, emit: Emit) -> None:
        self._prompt = prompt
        self._emit = emit
        self._closed = False
        self.cost = 0.0
        """Of the steps seen: what is known of the cost of a turn that did not return."""
        self.tokens = NO_TOKENS

    def __call__(self, event: BridgeEvent) -> None:
        if self._closed or event.type in CHANGES_STATE:
            extra = {"type": event.type, "prompt": self._prompt, "late": self._closed}
            logger.warning("event of the harness dropped", extra=extra)
            return
        if isinstance(event, StepFinished):
            self.cost += event.cost
            self.tokens += of_step(event.tokens)
        self._emit(event)

    def close(self) -> None:
        self._closed = True
