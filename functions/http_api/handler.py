"""The HTTP API: one router for each resource."""

from shared.edge.http import (
    accounts,
    attachments,
    changes,
    environments,
    forge,
    inbox,
    profile,
    prompts,
    pull_requests,
    repositories,
    sandbox,
    secrets,
    sessions,
    settings,
    sign_in,
    timeline,
    tokens,
    workspace,
)
from shared.edge.http.resolver import http, resolver
from shared.wiring import app

routes = resolver(
    sessions.router,
    prompts.router,
    pull_requests.router,
    attachments.router,
    timeline.router,
    changes.router,
    inbox.router,
    repositories.router,
    environments.router,
    forge.router,
    workspace.router,
    settings.router,
    secrets.router,
    profile.router,
    sign_in.router,
    accounts.router,
    tokens.router,
    sandbox.router,
)

lambda_handler = http(routes, app)
