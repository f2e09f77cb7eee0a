"""The opaque cursor that a bridge puts its next frame after.

It names session, attempt and slot, and only the server makes one: a sandbox cannot name a slot that
does not exist, nor another session's. It also carries when that slot was taken, which is what
pacing needs, without a read.
"""

import hmac
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from shared.domain.errors import Forbidden
from shared.domain.session.state import SessionId


@dataclass(frozen=True, slots=True)
class Cursor:
    seq: int
    at: datetime


def issue(key: str, session_id: SessionId, attempt: int, cursor: Cursor) -> str:
    body = f"{session_id}.{attempt}.{cursor.seq}.{int(cursor.at.timestamp() * 1000)}"
    return f"{body}.{_signature(key, body)}"


def read(key: str, session_id: SessionId, attempt: int, text: str) -> Cursor:
    """Raises `Forbidden` for anything that `issue` did not make for this attempt."""
    body, _, signature = text.rpartition(".")
    if not hmac.compare_digest(_signature(key, body).encode(), signature.encode()):
        raise Forbidden("this cursor was not issued here")
    session, number, seq, issued_ms = body.rsplit(".", 3)
    if (session, int(number)) != (session_id, attempt):
        raise Forbidden("this cursor belongs to another attempt")
    return Cursor(int(seq), datetime.fromtimestamp(int(issued_ms) / 1000, UTC))


def _signature(key: str, body: str) -> str:
    return hmac.new(key.encode(), body.encode(), sha256).hexdigest()[:32]
