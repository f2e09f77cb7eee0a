"""The HTTP API: one router for each resource."""

from shared.edge.http import (
    attachments,
    changes,
    inbox,
    profile,
    prompts,
    repositories,
    sandbox,
    sessions,
    settings,
    timeline,
    workspace,
)
from shared.edge.http.resolver import http, resolver
from shared.wiring import app

routes = resolver(
    sessions.router,
    prompts.router,
    attachments.router,
    timeline.router,
    changes.router,
    inbox.router,
    repositories.router,
    workspace.router,
    settings.router,
    profile.router,
    sandbox.router,
)

lambda_handler = http(routes, app)
