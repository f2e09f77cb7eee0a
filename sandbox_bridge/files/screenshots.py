"""Hands in an image of the agent's, by its path; looked at here first: a mistake costs nothing."""

import asyncio
import re
from pathlib import Path
from typing import Final

from sandbox_bridge.files.server import FileFailed, Files
from sandbox_bridge.harness.seam import NotHandedIn
from sandbox_bridge.redaction import Redactor
from shared.domain.attachment import MAX_ATTACHMENT_BYTES, MAX_ATTACHMENT_NAME_CHARS
from shared.domain.image import image_of
from shared.domain.session.state import MAX_TITLE_CHARS
from shared.protocol.attachments import NewAttachment

_UNFIT: Final = re.compile(r"[\x00-\x1f\x7f/\\\ud800-\udfff]")


class Screenshots:
    """`workdir`: where a path that is not absolute begins."""

    def __init__(self, files: Files, workdir: Path, redact: Redactor) -> None:
        self._files = files
        self._workdir = workdir
        self._redact = redact

    async def __call__(self, path: str, title: str) -> str:
        """What the agent is told. Raises `NotHandedIn`."""
        place = self._workdir / path
        content = await asyncio.to_thread(_content, place)
        image = image_of(content)
        if image is None:
            raise NotHandedIn(f"{path} is no PNG, JPEG, WebP or GIF image")
        new = NewAttachment(
            name=_name(self._redact(place.name)), type=image.type, size=len(content)
        )
        shown = self._redact(" ".join(title.split()))[:MAX_TITLE_CHARS]
        try:
            taken = await self._files.hand_in(new, content, shown)
        except FileFailed as error:
            raise NotHandedIn(f"{path} was not handed in: {error}") from error
        return f"The user sees it as {taken.title!r} ({image.width}x{image.height})."


def _content(place: Path) -> bytes:
    try:
        if not place.is_file():
            raise NotHandedIn(f"there is no file {place}")
        with place.open("rb") as file:
            content = file.read(MAX_ATTACHMENT_BYTES + 1)
    except (OSError, ValueError) as error:
        raise NotHandedIn(f"{place} cannot be read: {error}") from error
    if len(content) > MAX_ATTACHMENT_BYTES:
        raise NotHandedIn(f"{place} is larger than {MAX_ATTACHMENT_BYTES // 1024**2} MiB")
    return content


def _name(name: str) -> str:
    """The end of a long one: what kind of file it is stands there."""
    return _UNFIT.sub("_", name)[-MAX_ATTACHMENT_NAME_CHARS:]
