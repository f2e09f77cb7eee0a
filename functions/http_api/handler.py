"""The HTTP API: one router for each resource."""

from shared.edge.http import (
    attachments,
    forge,
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
    inbox.router,
    repositories.router,
    forge.router,
    workspace.router,
    settings.router,
    profile.router,
    sandbox.router,
)

lambda_handler = http(routes, app)
