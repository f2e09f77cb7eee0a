"""A frame of the timeline, as the very characters that are kept, sent and sent again."""

from collections.abc import Sequence
from dataclasses import dataclass

from sandbox_bridge.wire.encoding import Said, encoded
from shared.protocol.bridge import Cursor, FrameMessage


@dataclass(frozen=True, slots=True)
class Frame:
    id: str
    raw: str

    @property
    def events(self) -> list[Said]:
        return FrameMessage.model_validate_json(self.raw).events


def build(frame_id: str, after: Cursor, events: Sequence[bytes]) -> Frame:
    head = encoded({"type": "frame", "id": frame_id, "after": after})[:-1]
    raw = head + b',"events":[' + b",".join(events) + b"]}"
    return Frame(frame_id, raw.decode())


def read(raw: str) -> Frame:
    """Raises `ValidationError` when it is not a whole frame."""
    return Frame(FrameMessage.model_validate_json(raw).id, raw)
