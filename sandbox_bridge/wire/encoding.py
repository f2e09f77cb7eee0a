"""An event as the bytes that stand in a frame: measured and joined, never encoded twice."""

import json
from typing import Any

from shared.protocol.bridge import MAX_FRAME_BYTES
from shared.protocol.events import BridgeEvent, Warned

ENVELOPE_BYTES = 1024
"""What a frame has beside its events: id, cursor, brackets."""

type Said = dict[str, Any]
"""An event as it is read from a frame."""

EVENT_BYTES = MAX_FRAME_BYTES - ENVELOPE_BYTES


def encoded(payload: object) -> bytes:
    """JSON in UTF-8. A lone surrogate, which agents do make and UTF-8 can't hold, becomes `?`."""
    text = json.dumps(payload, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode(errors="replace")


def payload(event: BridgeEvent) -> Said:
    # Not in JSON mode: pydantic refuses a lone surrogate in some keys and mangles it in others.
    return event.model_dump(by_alias=True)


def said(event: BridgeEvent) -> Said:
    """What the server will have of it, to the letter."""
    return json.loads(encoded(payload(event)))


def writable(event: BridgeEvent) -> BridgeEvent:
    """The event itself, or a warning in its place if JSON can't hold it."""
    try:
        encoded(payload(event))
    except (TypeError, ValueError, RecursionError):
        return Warned(message=f"an event of type {event.type!r} could not be written down")
    return event
