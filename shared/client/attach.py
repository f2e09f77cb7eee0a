"""Images of this machine that go with a prompt: read and looked at before anything is asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from shared.client.api import Api
from shared.client.errors import Refused
from shared.client.requests import build
from shared.domain.attachment import (
    MAX_ATTACHMENT_BYTES,
    MAX_ATTACHMENT_NAME_CHARS,
    MAX_ATTACHMENTS,
)
from shared.domain.image import image_of
from shared.protocol.attachments import NewAttachment


@dataclass(frozen=True, slots=True)
class Picture:
    new: NewAttachment
    content: bytes


def pictures(paths: Sequence[str]) -> tuple[Picture, ...]:
    """Raises `Refused`."""
    if len(paths) > MAX_ATTACHMENTS:
        raise Refused(f"{len(paths)} images are more than {MAX_ATTACHMENTS}")
    return tuple(_picture(Path(path)) for path in paths)


async def upload(api: Api, given: Sequence[Picture]) -> list[str]:
    """Their ids, in order. Raises `Refused` or `Unreachable`."""
    ids: list[str] = []
    for picture in given:
        begun = await api.begin_attachment(picture.new)
        for part, start in enumerate(range(0, picture.new.size, begun.part_bytes)):
            content = picture.content[start : start + begun.part_bytes]
            await api.put_part(begun.id, part, content)
        ids.append((await api.complete_attachment(begun.id)).id)
    return ids


def _picture(path: Path) -> Picture:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_ATTACHMENT_BYTES + 1)
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}") from error
    if len(content) > MAX_ATTACHMENT_BYTES:
        raise Refused(f"{path} is larger than {MAX_ATTACHMENT_BYTES // 1024**2} MiB")
    image = image_of(content)
    if image is None:
        raise Refused(f"{path} is no PNG, JPEG, WebP or GIF image")
    name = path.name[-MAX_ATTACHMENT_NAME_CHARS:]
    return Picture(build(NewAttachment, name=name, type=image.type, size=len(content)), content)
