"""Which attempt asks: for the routes that only sandboxes use."""

from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app import attempts
from shared.app.tokens import SandboxClaim
from shared.edge.http.resolver import app_of, visit_of


def attempt_of(router: APIGatewayHttpRouter) -> SandboxClaim:
    """Raises `Unauthenticated`, also for an attempt that is over."""
    return attempts.authenticate(app_of(router).store, visit_of(router).bearer)
