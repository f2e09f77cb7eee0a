"""Authorizer of the client WebSocket API: a one-use ticket says whose socket this is."""

from typing import Any

from shared.edge.client_socket import authorize
from shared.wiring import app


def lambda_handler(event: dict[str, Any], _context: Any) -> dict[str, Any]:
    return authorize(event, app().viewers)
