"""Uploaded files: an item each, which expires unless the commit that names it keeps it."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from math import ceil
from typing import Any

from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from shared.adapters.dynamodb import keys
from shared.adapters.dynamodb.failures import Refused
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.writes import (
    ABSENT,
    PRESENT,
    Item,
    Put,
    Update,
    assign,
    item,
    number,
    text,
)
from shared.app.ports.sessions import Commit
from shared.app.ports.uploads import Owner, Upload
from shared.domain.attachment import Attachment, AttachmentId
from shared.domain.errors import NotFound, Rejected
from shared.domain.session.facts import PromptQueued, ScreenshotHandedIn
from shared.domain.session.state import SessionId

_SPARE = timedelta(hours=1)
"""DynamoDB deletes no sooner: a commit that was begun in time finds what it keeps."""

_INCOMPLETE = PRESENT & Path("digest").does_not_exist()


class DynamoUploads:
    def __init__(self, sessions: Table) -> None:
        self._sessions = sessions

    def begin(self, upload: Upload) -> None:
        row = item(
            keys.upload(upload.id),
            keys.FILE,
            owner=text(upload.owner),
            name=text(upload.name),
            type=text(upload.type),
            size=number(upload.size),
            until=text(upload.expires_at.isoformat()),
            expires_at=number(ceil((upload.expires_at + _SPARE).timestamp())),
        )
        try:
            self._sessions.write(Put(row, ABSENT))
        except Refused:
            return  # its answer was lost: nobody else draws this id

    def load(self, upload_id: AttachmentId) -> Upload:
        found = self._sessions.get(keys.upload(upload_id), keys.FILE)
        if found is None:
            raise NotFound(f"no attachment {upload_id!r}")
        return _to_upload(upload_id, found)

    def received(self, upload_id: AttachmentId, part: int) -> None:
        arrived = Path("parts").add({"NS": [str(part)]})
        try:
            self._sessions.write(Update(keys.upload(upload_id), keys.FILE, [arrived], _INCOMPLETE))
        except Refused as refused:
            if refused.item is None:
                raise NotFound(f"no attachment {upload_id!r}") from None
            raise Rejected("this attachment is complete already") from None

    def complete(self, upload: Upload) -> Upload:
        assert upload.digest is not None
        assert upload.pixels is not None
        width, height = upload.pixels
        known = assign(
            type=text(upload.type),
            digest=text(upload.digest),
            width=number(width),
            height=number(height),
        )
        try:
            kept = self._sessions.write(
                Update(keys.upload(upload.id), keys.FILE, known, _INCOMPLETE)
            )
        except Refused as refused:
            if refused.item is None:
                raise NotFound(f"no attachment {upload.id!r}") from None
            kept = refused.item
        return _to_upload(upload.id, kept)


def keeping_writes(commit: Commit) -> list[Update]:
    """Those that the commit names are the session's from then on, and expire no more."""
    session = commit.after.id
    return [_keeping(session, file) for fact in commit.facts for file in _files(fact)]


def _files(fact: Any) -> Iterable[Attachment]:
    match fact:
        case PromptQueued(attachments=attachments):
            return attachments
        case ScreenshotHandedIn(file=file):
            return (file,)
        case _:
            return ()


def _keeping(session: SessionId, file: Attachment) -> Update:
    kept: list[Action] = [Path("sessions").add({"SS": [session]}), Path(keys.EXPIRES_AT).remove()]
    return Update(keys.upload(file.id), keys.FILE, kept, PRESENT)


def _to_upload(upload_id: AttachmentId, found: Item) -> Upload:
    return Upload(
        id=upload_id,
        owner=Owner(found["owner"]["S"]),
        name=found["name"]["S"],
        type=found["type"]["S"],
        size=int(found["size"]["N"]),
        expires_at=datetime.fromisoformat(found["until"]["S"]),
        parts=frozenset(int(part) for part in found.get("parts", {}).get("NS", ())),
        digest=found["digest"]["S"] if "digest" in found else None,
        pixels=(int(found["width"]["N"]), int(found["height"]["N"])) if "width" in found else None,
        sessions=frozenset(map(SessionId, found.get("sessions", {}).get("SS", ()))),
    )
