"""`/sandbox`: what the sandbox of a session fetches and hands in, with its attempt's token."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app.attachment_views import of_upload
from shared.app.attachments import Asker, sandbox_asks
from shared.domain.attachment import AttachmentId
from shared.edge.http.attempts import attempt_of
from shared.edge.http.parts import FileId, Part, answer, body_of
from shared.edge.http.resolver import app_of
from shared.protocol.attachments import (
    AttachmentView,
    NewAttachment,
    NewScreenshot,
    ScreenshotTaken,
)

router = APIGatewayHttpRouter()


@router.post("/sandbox/attachments", tags=["sandbox"], status_code=HTTPStatus.CREATED)
def begin(asked: Annotated[NewAttachment, Body()]) -> AttachmentView:
    return of_upload(app_of(router).attachments.begin(_asker(), asked))


@router.put(
    "/sandbox/attachments/<file>/parts/<part>", tags=["sandbox"], status_code=HTTPStatus.NO_CONTENT
)
def put_part(file: FileId, part: Part) -> None:
    asker = _asker()
    app_of(router).attachments.put_part(asker, AttachmentId(file), part, body_of(router))


@router.post("/sandbox/attachments/<file>/complete", tags=["sandbox"])
def complete(file: FileId) -> AttachmentView:
    return of_upload(app_of(router).attachments.complete(_asker(), AttachmentId(file)))


@router.get("/sandbox/attachments/<file>/parts/<part>", tags=["sandbox"])
def get_part(file: FileId, part: Part):  # noqa: ANN201 - by its type it would be made text
    return answer(app_of(router).attachments.part(_asker(), AttachmentId(file), part))


@router.post("/sandbox/artifacts", tags=["sandbox"], status_code=HTTPStatus.CREATED)
def hand_in(asked: Annotated[NewScreenshot, Body()]) -> ScreenshotTaken:
    return app_of(router).screenshots.hand_in(attempt_of(router), asked)


def _asker() -> Asker:
    return sandbox_asks(attempt_of(router).session_id)
