"""`/sandbox`: what the sandbox of a session fetches and hands in, with its attempt's token."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app.attachments import Asker, sandbox_asks
from shared.edge.http.attempts import attempt_of
from shared.edge.http.parts import add_attachments
from shared.edge.http.resolver import app_of
from shared.protocol.attachments import NewScreenshot, ScreenshotTaken
from shared.protocol.change_bundles import ChangesTaken, NewChanges

router = APIGatewayHttpRouter()


def _asker() -> Asker:
    return sandbox_asks(attempt_of(router).session_id)


add_attachments(router, "/sandbox/attachments", _asker, tag="sandbox")


@router.post("/sandbox/artifacts", tags=["sandbox"], status_code=HTTPStatus.CREATED)
def hand_in(asked: Annotated[NewScreenshot, Body()]) -> ScreenshotTaken:
    return app_of(router).screenshots.hand_in(attempt_of(router), asked)


@router.put("/sandbox/changes", tags=["sandbox"])
def hand_in_changes(asked: Annotated[NewChanges, Body()]) -> ChangesTaken:
    return app_of(router).changes.hand_in(attempt_of(router), asked)
