"""Images that people attach to prompts and agents hand in: how large, in which parts, how many."""

from dataclasses import dataclass
from typing import NewType

AttachmentId = NewType("AttachmentId", str)

MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024
PART_BYTES = 3 * 1024 * 1024
"""Each part is one request; as base64 it has to fit into the 6 MB of a Lambda's answer."""

MAX_ATTACHMENTS = 6
"""Of one prompt."""

MAX_ATTACHMENT_NAME_CHARS = 100
MAX_SCREENSHOTS = 100
"""That the agents of one session hand in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """`type` and size in pixels are what the bytes say, not what somebody said about them."""

    id: AttachmentId
    name: str
    type: str
    size: int
    width: int
    height: int


def parts_of(size: int) -> int:
    return -(-size // PART_BYTES)


def part_bytes(size: int, part: int) -> int:
    """How long that part of a file of this size is; 0: there is no such part."""
    return max(0, min(PART_BYTES, size - part * PART_BYTES)) if part >= 0 else 0
