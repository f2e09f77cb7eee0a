"""Which attempt asks: for the routes that only sandboxes use."""

from collections.abc import Mapping

from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app import attempts
from shared.app.tokens import SandboxClaim
from shared.edge.http.resolver import app_of


def attempt_of(router: APIGatewayHttpRouter) -> SandboxClaim:
    """Raises `Unauthenticated`, also for an attempt that is over."""
    headers: Mapping[str, str] = router.current_event.headers
    bearer = next((v for k, v in headers.items() if k.lower() == "authorization"), None)
    return attempts.authenticate(app_of(router).store, bearer)
