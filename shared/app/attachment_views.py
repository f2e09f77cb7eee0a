"""Attachments and uploads as the wires have them."""

from shared.app.ports.uploads import Upload
from shared.domain.attachment import PART_BYTES, Attachment
from shared.protocol.attachments import Attached, AttachmentView


def attached(file: Attachment) -> Attached:
    return Attached(
        id=file.id,
        name=file.name,
        type=file.type,
        size=file.size,
        width=file.width,
        height=file.height,
    )


def of_file(file: Attachment) -> AttachmentView:
    return AttachmentView(
        id=file.id,
        name=file.name,
        type=file.type,
        size=file.size,
        ready=True,
        part_bytes=PART_BYTES,
        width=file.width,
        height=file.height,
    )


def of_upload(upload: Upload) -> AttachmentView:
    pixels = upload.pixels
    return AttachmentView(
        id=upload.id,
        name=upload.name,
        type=upload.type,
        size=upload.size,
        ready=upload.digest is not None,
        part_bytes=PART_BYTES,
        width=pixels[0] if pixels else None,
        height=pixels[1] if pixels else None,
    )
