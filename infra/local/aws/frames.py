"""API Gateway's size limits on what a WebSocket client sends: 128 KB a message, 32 KB a frame.

Whatever is larger closes the socket with 1009. Hypercorn counts characters, not bytes, and no
frames; a client that works here but not on AWS would be a bad surprise.
"""

from importlib.metadata import version
from typing import Any

from hypercorn.protocol import ws_stream

LARGEST_MESSAGE = 128 * 1024
LARGEST_FRAME = 32 * 1024

assert version("hypercorn") == "0.18.0", "written for the private names of this hypercorn"


class _Buffer(ws_stream.WebsocketBuffer):
    """Collects one message; raising makes hypercorn send the close with 1009."""

    def __init__(self, max_length: int) -> None:
        super().__init__(max_length)
        self._message = 0
        self._frame = 0
        self._overflown = False

    def extend(self, event: Any) -> None:
        if self._overflown:
            return  # raising again would make hypercorn overlook the client's answer to the close
        size = len(event.data.encode() if isinstance(event.data, str) else event.data)
        self._message += size
        self._frame += size
        if self._message > LARGEST_MESSAGE or self._frame > LARGEST_FRAME:
            self._overflown = True
            raise ws_stream.FrameTooLargeError
        if event.frame_finished:
            self._frame = 0
        super().extend(event)

    def to_message(self) -> dict[str, Any]:
        # Of a type that no application knows: what came after the close is nobody's message.
        return {"type": "websocket.late"} if self._overflown else super().to_message()

    def clear(self) -> None:
        super().clear()
        self._message = 0


def install() -> None:
    ws_stream.WebsocketBuffer = _Buffer
