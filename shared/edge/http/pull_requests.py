"""Pull requests: for people, for the agent in its sandbox, and as GitHub tells of them."""

import base64
from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app.pull_request_views import of_all, of_offer, of_pull_request
from shared.app.pull_requests import Outcome
from shared.domain.session.state import SessionId
from shared.edge.http.attempts import attempt_of
from shared.edge.http.resolver import app_of, user_of
from shared.edge.http.sessions import Id
from shared.protocol.github import WebhookTaken
from shared.protocol.pull_requests import NewPullRequest, PullRequestList, PullRequestOutcome

router = APIGatewayHttpRouter()


@router.post("/sessions/<session_id>/pull-requests", tags=["pull requests"])
def open_one(session_id: Id, asked: Annotated[NewPullRequest, Body()]) -> PullRequestOutcome:
    user = user_of(router)
    return _outcome(app_of(router).pull_requests.open(SessionId(session_id), asked, user.id))


@router.get("/sessions/<session_id>/pull-requests", tags=["pull requests"])
def known(session_id: Id) -> PullRequestList:
    user_of(router)
    return of_all(app_of(router).sessions.load(SessionId(session_id)))


@router.post("/sessions/<session_id>/pull-requests/refresh", tags=["pull requests"])
def refresh(session_id: Id) -> PullRequestList:
    user_of(router)
    return of_all(app_of(router).pull_request_news.refresh(SessionId(session_id)))


@router.post("/sandbox/pull-requests", tags=["sandbox"])
def open_for_agent(asked: Annotated[NewPullRequest, Body()]) -> PullRequestOutcome:
    by = attempt_of(router)
    pull_requests = app_of(router).pull_requests
    return _outcome(pull_requests.open_as_running(by.session_id, by.attempt, asked))


@router.post("/webhooks/github", tags=["webhooks"], status_code=HTTPStatus.ACCEPTED)
def github() -> WebhookTaken:
    event = router.current_event
    headers = {name.lower(): value for name, value in event.headers.items()}
    return app_of(router).github_webhooks.take(headers, _raw(event.raw_event))


def _raw(event: dict[str, object]) -> bytes:
    """As it was sent, to the byte: that is what was signed."""
    body = str(event.get("body") or "")
    return base64.b64decode(body) if event.get("isBase64Encoded") else body.encode()


def _outcome(outcome: Outcome) -> PullRequestOutcome:
    told, offer = outcome.pull_request, outcome.offer
    return PullRequestOutcome(
        outcome="offered" if told is None else "updated" if outcome.updated else "opened",
        pull_request=None if told is None else of_pull_request(told),
        offer=None if offer is None else of_offer(offer),
        warnings=list(outcome.warnings),
    )
