"""The bytes of one part of a file, as a request brings them and as an answer takes them away."""

from base64 import b64decode
from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app.ports.uploads import Upload
from shared.domain.errors import Invalid

type FileId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
type Part = Annotated[int, Path(ge=0, le=99)]

_HEADERS = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "private, max-age=31536000, immutable",
}
"""Nothing that is in a file is ever run, and what an id stands for never changes."""


def body_of(router: APIGatewayHttpRouter) -> bytes:
    """API Gateway hands over text as it is and everything else in base64. Raises `Invalid`."""
    event = router.current_event
    if not event.is_base64_encoded:
        raise Invalid("body", "send it as application/octet-stream")
    return b64decode(event.body or "")


def answer(found: tuple[Upload, bytes]) -> Response[bytes]:
    upload, content = found
    return Response(
        status_code=HTTPStatus.OK, content_type=upload.type, body=content, headers={**_HEADERS}
    )
