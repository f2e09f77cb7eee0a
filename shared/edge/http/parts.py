"""The routes of files that come and go in parts, the same for people and for sandboxes."""

from base64 import b64decode
from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Path
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app.attachment_views import of_upload
from shared.app.attachments import Asker
from shared.app.ports.uploads import Upload
from shared.domain.attachment import AttachmentId
from shared.domain.errors import Invalid
from shared.edge.http.resolver import app_of
from shared.protocol.attachments import AttachmentView, NewAttachment

type FileId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
type Part = Annotated[int, Path(ge=0, le=99)]

_HEADERS = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "private, max-age=31536000, immutable",
}
"""Nothing that is in a file is ever run, and what an id stands for never changes."""


def add_attachments(
    router: APIGatewayHttpRouter, place: str, asker: Callable[[], Asker], *, tag: str
) -> None:
    """At `place`, for whoever `asker` says asks; it raises for those who may not."""

    @router.post(place, tags=[tag], status_code=HTTPStatus.CREATED)
    def begin(asked: Annotated[NewAttachment, Body()]) -> AttachmentView:
        return of_upload(app_of(router).attachments.begin(asker(), asked))

    @router.put(f"{place}/<file>/parts/<part>", tags=[tag], status_code=HTTPStatus.NO_CONTENT)
    def put_part(file: FileId, part: Part) -> None:
        who = asker()
        app_of(router).attachments.put_part(who, AttachmentId(file), part, _body(router))

    @router.post(f"{place}/<file>/complete", tags=[tag])
    def complete(file: FileId) -> AttachmentView:
        return of_upload(app_of(router).attachments.complete(asker(), AttachmentId(file)))

    @router.get(f"{place}/<file>/parts/<part>", tags=[tag])
    def get_part(file: FileId, part: Part):  # noqa: ANN202 - by its type it would be made text
        return _answer(app_of(router).attachments.part(asker(), AttachmentId(file), part))


def _body(router: APIGatewayHttpRouter) -> bytes:
    """API Gateway hands over text as it is and everything else in base64. Raises `Invalid`."""
    event = router.current_event
    if not event.is_base64_encoded:
        raise Invalid("body", "send it as application/octet-stream")
    return b64decode(event.body or "")


def _answer(found: tuple[Upload, bytes]) -> Response[bytes]:
    upload, content = found
    return Response(
        status_code=HTTPStatus.OK, content_type=upload.type, body=content, headers={**_HEADERS}
    )
