"""The HTTP API: one router for each resource."""

from shared.edge.http import profile, prompts, sessions, settings, timeline, workspace
from shared.edge.http.resolver import http, resolver
from shared.wiring import app

routes = resolver(
    sessions.router,
    prompts.router,
    timeline.router,
    workspace.router,
    settings.router,
    profile.router,
)

lambda_handler = http(routes, app)
