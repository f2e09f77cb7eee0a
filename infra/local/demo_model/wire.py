"""What the server asks of a wire: read a request, write a reply whole or in pieces."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from infra.local.demo_model.conversation import Conversation
from infra.local.demo_model.reply import Reply

type Body = Mapping[str, Any]


class Wire(Protocol):
    def conversation(self, body: Body) -> Conversation: ...

    def whole(self, model: str, reply: Reply) -> dict[str, Any]: ...

    def opening(self, model: str, reply: Reply) -> Iterator[bytes]:
        """The frames before the model thinks."""
        ...

    def words(self, model: str, reply: Reply) -> Iterator[bytes]:
        """Reasoning and text; a cut reply ends after these."""
        ...

    def closing(self, model: str, reply: Reply) -> Iterator[bytes]:
        """Tool calls, usage and the end."""
        ...

    def refusal(self, status: int, message: str) -> dict[str, Any]: ...


def frame(payload: Mapping[str, Any], event: str | None = None) -> bytes:
    """One server-sent event."""
    name = f"event: {event}\n" if event else ""
    return f"{name}data: {json.dumps(payload)}\n\n".encode()
