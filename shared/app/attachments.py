"""Files on their way in and out: uploaded in parts, checked when complete, kept by what names them.

Bytes are under `uploads/` first, where they last a day, and under `kept/` from before the commit
that names them: what was acknowledged is never without them. A copy whose commit was refused is
named by nobody; it is no larger than one upload, and rare, as a refusal is looked for before.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256

from shared.app.ports.rates import Rates
from shared.app.ports.uploads import Objects, Owner, Upload, Uploads
from shared.domain.attachment import (
    PART_BYTES,
    Attachment,
    AttachmentId,
    part_bytes,
    parts_of,
)
from shared.domain.errors import Invalid, NotFound, Rejected
from shared.domain.image import IMAGE_TYPES, image_of
from shared.domain.rate import Rate
from shared.domain.session.state import SessionId, UserId
from shared.protocol.attachments import NewAttachment

UPLOAD_LIFE = timedelta(hours=23)
"""The store forgets them after a day at the earliest: what is named in time is still there."""

HANDING_IN = Rate(timedelta(seconds=30), burst=20)
"""How often the sandbox of a session may begin an upload: nobody watches what it does."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who uploads or reads: a user, who sees all sessions, or the sandbox of one."""

    owner: Owner
    session: SessionId | None = None

    def may_read(self, upload: Upload) -> bool:
        if self.session is not None and self.session in upload.sessions:
            return True
        return upload.owner == self.owner or (self.session is None and bool(upload.sessions))


def user_asks(user: UserId) -> Asker:
    return Asker(Owner(f"user {user}"))


def sandbox_asks(session: SessionId) -> Asker:
    return Asker(Owner(f"session {session}"), session)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachments:
    uploads: Uploads
    objects: Objects
    rates: Rates
    clock: Callable[[], datetime]
    new_id: Callable[[], str]

    def begin(self, asker: Asker, asked: NewAttachment) -> Upload:
        """Raises `Invalid`, and `Rejected` for a sandbox that begins too many."""
        if asked.type not in IMAGE_TYPES:
            raise Invalid("type", f"it has to be one of {', '.join(IMAGE_TYPES)}")
        now = self.clock()
        if asker.session is not None:
            self._check_pace(asker, now)
        upload = Upload(
            id=AttachmentId(self.new_id()),
            owner=asker.owner,
            name=asked.name,
            type=asked.type,
            size=asked.size,
            expires_at=now + UPLOAD_LIFE,
        )
        self.uploads.begin(upload)
        return upload

    def put_part(self, asker: Asker, upload_id: AttachmentId, part: int, content: bytes) -> None:
        """Safe to repeat. Raises `NotFound`, `Invalid`, `Rejected` when it is complete."""
        upload = self._own(asker, upload_id)
        expected = part_bytes(upload.size, part)
        if not expected:
            raise NotFound(f"this attachment has {parts_of(upload.size)} parts")
        if len(content) != expected:
            raise Invalid("body", f"part {part} has {expected} bytes, not {len(content)}")
        if upload.digest is not None:
            raise Rejected("this attachment is complete already")
        self.objects.put(_part_key(upload, part), content)
        self.uploads.received(upload.id, part)

    def complete(self, asker: Asker, upload_id: AttachmentId) -> Upload:
        """Safe to repeat. Raises `NotFound`, `Rejected` while parts are missing, `Invalid`."""
        upload = self._own(asker, upload_id)
        if upload.digest is not None:
            return upload
        wanted = range(parts_of(upload.size))
        if missing := sorted(set(wanted) - upload.parts):
            raise Rejected(f"part {missing[0]} is missing")
        content = b"".join(self.objects.get(_part_key(upload, part)) for part in wanted)
        known = _checked(upload, content)
        self.objects.put(_upload_key(known), content)
        return self.uploads.complete(known)

    def upload(self, asker: Asker, upload_id: AttachmentId) -> Upload:
        """Raises `NotFound`, also for what is somebody else's and not kept by a session."""
        upload = self.uploads.load(upload_id)
        gone = not upload.sessions and upload.expires_at <= self.clock()
        if gone or not asker.may_read(upload):
            raise NotFound(f"no attachment {upload_id!r}")
        return upload

    def part(self, asker: Asker, upload_id: AttachmentId, part: int) -> tuple[Upload, bytes]:
        """Raises `NotFound`, `Rejected` while it is not complete."""
        upload = self.upload(asker, upload_id)
        if upload.digest is None:
            raise Rejected("this attachment is not complete yet")
        length = part_bytes(upload.size, part)
        if not length:
            raise NotFound(f"this attachment has {parts_of(upload.size)} parts")
        key = _kept_key(upload) if upload.sessions else _upload_key(upload)
        return upload, self.objects.get(key, offset=part * PART_BYTES, length=length)

    def keep(self, asker: Asker, ids: Sequence[str]) -> tuple[Attachment, ...]:
        """For a commit that is to name them: their bytes are safe before it is made.

        Raises `Invalid` for one that is not there, not complete or not the asker's own.
        """
        if len(set(ids)) != len(ids):
            raise Invalid("attachments", "one of them is named twice")
        uploads = [self._to_keep(asker, AttachmentId(upload_id)) for upload_id in ids]
        for upload in uploads:
            if not upload.sessions:
                self.objects.copy(_upload_key(upload), _kept_key(upload))
        return tuple(_attachment(upload) for upload in uploads)

    def _to_keep(self, asker: Asker, upload_id: AttachmentId) -> Upload:
        try:
            upload = self._own(asker, upload_id)
        except NotFound:
            problem = f"there is none {upload_id!r} of yours; uploads last a day"
            raise Invalid("attachments", problem) from None
        if upload.digest is None:
            raise Invalid("attachments", f"{upload.name!r} is not complete yet")
        return upload

    def _own(self, asker: Asker, upload_id: AttachmentId) -> Upload:
        upload = self.upload(asker, upload_id)
        if upload.owner != asker.owner:
            raise NotFound(f"no attachment {upload_id!r}")
        return upload

    def _check_pace(self, asker: Asker, now: datetime) -> None:
        name = f"files {asker.session}"
        if self.rates.reserve(name, now, HANDING_IN, within=timedelta()) > now:
            raise Rejected("too many files at once; wait half a minute")


def _checked(upload: Upload, content: bytes) -> Upload:
    image = image_of(content)
    if image is None:
        raise Invalid("type", f"{upload.name!r} is no image that we can read")
    if image.type != upload.type:
        raise Invalid("type", f"{upload.name!r} is {image.type}, not {upload.type}")
    digest = sha256(content).hexdigest()
    return replace(upload, digest=digest, pixels=(image.width, image.height))


def _attachment(upload: Upload) -> Attachment:
    assert upload.pixels is not None
    width, height = upload.pixels
    return Attachment(
        id=upload.id,
        name=upload.name,
        type=upload.type,
        size=upload.size,
        width=width,
        height=height,
    )


def _part_key(upload: Upload, part: int) -> str:
    return f"uploads/{upload.id}/{part}"


def _upload_key(upload: Upload) -> str:
    """By its content: a part that comes late changes nothing of what was checked."""
    return f"uploads/{upload.id}/{upload.digest}"


def _kept_key(upload: Upload) -> str:
    return f"kept/{upload.id}"
