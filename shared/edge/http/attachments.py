"""`/attachments`: images on their way into prompts, and all that a session keeps on the way out."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app.attachment_views import of_upload
from shared.app.attachments import Asker, user_asks
from shared.domain.attachment import AttachmentId
from shared.edge.http.parts import FileId, Part, answer, body_of
from shared.edge.http.resolver import app_of, user_of
from shared.protocol.attachments import AttachmentView, NewAttachment

router = APIGatewayHttpRouter()


@router.post("/attachments", tags=["attachments"], status_code=HTTPStatus.CREATED)
def begin(asked: Annotated[NewAttachment, Body()]) -> AttachmentView:
    return of_upload(app_of(router).attachments.begin(_asker(), asked))


@router.put(
    "/attachments/<file>/parts/<part>", tags=["attachments"], status_code=HTTPStatus.NO_CONTENT
)
def put_part(file: FileId, part: Part) -> None:
    asker = _asker()
    app_of(router).attachments.put_part(asker, AttachmentId(file), part, body_of(router))


@router.post("/attachments/<file>/complete", tags=["attachments"])
def complete(file: FileId) -> AttachmentView:
    return of_upload(app_of(router).attachments.complete(_asker(), AttachmentId(file)))


@router.get("/attachments/<file>/parts/<part>", tags=["attachments"])
def get_part(file: FileId, part: Part):  # noqa: ANN201 - by its type it would be made text
    return answer(app_of(router).attachments.part(_asker(), AttachmentId(file), part))


def _asker() -> Asker:
    return user_asks(user_of(router).id)
