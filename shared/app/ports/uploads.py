"""What is known of uploaded files, and where their bytes are."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType, Protocol

from shared.domain.attachment import AttachmentId
from shared.domain.session.state import SessionId

Owner = NewType("Owner", str)
"""Whose upload it is: a user's, or one of a session's sandbox."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    id: AttachmentId
    owner: Owner
    name: str
    type: str
    """What it is said to be, and once it is complete what it is."""
    size: int
    expires_at: datetime
    """When it is gone, unless a session keeps it."""
    parts: frozenset[int] = frozenset()
    """Those that are here."""
    digest: str | None = None
    """Of its bytes, once it is complete."""
    pixels: tuple[int, int] | None = None
    sessions: frozenset[SessionId] = frozenset()
    """Those that keep it: a commit that names it has added them."""


class Uploads(Protocol):
    def begin(self, upload: Upload) -> None:
        """The id is a random one of ours: the same one again is the same upload."""
        ...

    def load(self, upload_id: AttachmentId) -> Upload:
        """Consistent, expired or not. Raises `NotFound`."""
        ...

    def received(self, upload_id: AttachmentId, part: int) -> None:
        """Raises `NotFound`, or `Rejected` when it is complete."""
        ...

    def complete(self, upload: Upload) -> Upload:
        """With what its bytes are. Whoever comes first decides; the answer is what is kept."""
        ...


class Objects(Protocol):
    """Bytes under keys. All of it raises `Unavailable` when nobody answers."""

    def put(self, key: str, content: bytes) -> None: ...

    def get(self, key: str, *, offset: int = 0, length: int | None = None) -> bytes:
        """Raises `NotFound`. At least one byte has to be there to be read."""
        ...

    def copy(self, source: str, target: str) -> None:
        """Raises `NotFound`."""
        ...

    def delete(self, key: str) -> None:
        """Gone is fine."""
        ...
