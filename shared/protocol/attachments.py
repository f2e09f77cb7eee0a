"""Images on the wire: uploaded in parts, named by prompts, handed in by agents.

    POST /attachments                    NewAttachment ─▶ AttachmentView
    PUT  /attachments/{id}/parts/{n}     the bytes of each part
    POST /attachments/{id}/complete      ─▶ AttachmentView, ready
    GET  /attachments/{id}/parts/{n}     the bytes again

Part n holds `partBytes` bytes from `n * partBytes` on, and the last one what is left. A sandbox
does the same under `/sandbox`, with the token of its attempt, and then says what it was for:

    POST /sandbox/artifacts              NewScreenshot ─▶ ScreenshotTaken
"""

from typing import Annotated

from pydantic import Field, StringConstraints

from shared.domain.attachment import (
    MAX_ATTACHMENT_BYTES,
    MAX_ATTACHMENT_NAME_CHARS,
    MAX_ATTACHMENTS,
)
from shared.domain.session.state import MAX_TITLE_CHARS
from shared.protocol.base import Identifier, Strict, Tolerant

type FileName = Annotated[
    str,
    StringConstraints(
        min_length=1, max_length=MAX_ATTACHMENT_NAME_CHARS, pattern=r"^[^\x00-\x1f\x7f/\\]+$"
    ),
]
type AttachmentIds = Annotated[list[Identifier], Field(max_length=MAX_ATTACHMENTS)]


class NewAttachment(Strict):
    """`type` is what its bytes have to be: image/png, image/jpeg, image/webp or image/gif."""

    name: FileName
    type: Annotated[str, StringConstraints(max_length=100)]
    size: int = Field(ge=1, le=MAX_ATTACHMENT_BYTES)


class AttachmentView(Strict):
    """`ready`: all of it is here, is what it was said to be, and how large it is is known."""

    id: str
    name: str
    type: str
    size: int
    ready: bool
    part_bytes: int
    width: int | None = None
    height: int | None = None


class Attached(Tolerant):
    """An image as a prompt, or what tells of one, has it."""

    id: str
    name: str
    type: str
    size: int
    width: int
    height: int


class NewScreenshot(Tolerant):
    """From a sandbox: `attachment` is a complete upload of its own."""

    attachment: Identifier
    title: Annotated[str, StringConstraints(max_length=MAX_TITLE_CHARS)] = ""


class ScreenshotTaken(Tolerant):
    """It is among the session's artifacts, now or since it was handed in before."""

    id: str
    title: str
    file: Attached
