"""`/sandbox`: what the sandbox of a session fetches and hands in, with its attempt's token."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app.attachments import Asker, sandbox_asks
from shared.app.ports.forges import Access
from shared.edge.http.attempts import attempt_of
from shared.edge.http.parts import add_attachments
from shared.edge.http.resolver import app_of
from shared.protocol.attachments import NewScreenshot, ScreenshotTaken
from shared.protocol.change_bundles import ChangesTaken, NewChanges
from shared.protocol.credentials import (
    GhCredential,
    GitCredential,
    NewGhCredential,
    NewGitCredential,
)

router = APIGatewayHttpRouter()


def _asker() -> Asker:
    return sandbox_asks(attempt_of(router).session_id)


add_attachments(router, "/sandbox/attachments", _asker, tag="sandbox")


@router.post("/sandbox/artifacts", tags=["sandbox"], status_code=HTTPStatus.CREATED)
def hand_in(asked: Annotated[NewScreenshot, Body()]) -> ScreenshotTaken:
    return app_of(router).screenshots.hand_in(attempt_of(router), asked)


@router.post("/sandbox/git-credentials", tags=["sandbox"])
def git_credential(asked: Annotated[NewGitCredential, Body()]) -> GitCredential | None:
    """Good for this one repository of the session; null: git needs none there."""
    by, access = attempt_of(router), Access(asked.operation)
    credentials = app_of(router).git_credentials
    found = credentials.of_repository(by, asked.url, access, asked.refused)
    return found and GitCredential(
        username=found.username, password=found.password, expires_at=found.expires_at
    )


@router.post("/sandbox/gh-credentials", tags=["sandbox"])
def gh_credential(
    asked: Annotated[NewGhCredential | None, Body()] = None,
) -> GhCredential | None:
    """Good for one repository, or for all of an owner; null: there is none on GitHub."""
    url = asked.url if asked else None
    found = app_of(router).git_credentials.of_github(attempt_of(router), url)
    return found and GhCredential(
        host=found.host, token=found.credential.password, expires_at=found.credential.expires_at
    )


@router.put("/sandbox/changes", tags=["sandbox"])
def hand_in_changes(asked: Annotated[NewChanges, Body()]) -> ChangesTaken:
    return app_of(router).changes.hand_in(attempt_of(router), asked)
