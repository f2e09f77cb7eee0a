"""Authorizer of the bridges' WebSocket API: the token of a living attempt."""

from typing import Any

from shared.edge.bridge_socket import authorize
from shared.wiring import app


def lambda_handler(event: dict[str, Any], _context: Any) -> dict[str, Any]:
    return authorize(event, app().store)
