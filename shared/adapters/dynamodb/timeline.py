"""The append-only log of a session: one item a frame, no counter, no transaction."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.failures import Refused
from shared.adapters.dynamodb.keys import SK
from shared.adapters.dynamodb.slots import Unsure, place
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.writes import ABSENT, Item, Put, item, number, text
from shared.app.ports.timeline import Appended
from shared.domain.session.state import SessionId
from shared.domain.timeline import Entry, Frame

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class DynamoTimeline:
    def __init__(self, sessions: Table) -> None:
        self._sessions = sessions

    def append(self, session_id: SessionId, frame: Frame, *, after: int, now: datetime) -> Appended:
        log = _FrameLog(self._sessions, session_id, frame, now)
        slot, stored = place(log, frame.id, after=after)
        return Appended(stored or entry(slot, frame, now), already=stored is not None)

    def after(self, session_id: SessionId, seq: int, *, limit: int) -> Sequence[Entry]:
        where = Path(SK).between(text(keys.slot(seq + 1)), text(keys.LAST_SLOT))
        query = Query(partition=keys.session(session_id), where=where, limit=limit)
        return [to_entry(found) for found in self._sessions.page(query).items]

    def before(self, session_id: SessionId, seq: int | None, *, limit: int) -> Sequence[Entry]:
        last = keys.LAST_SLOT if seq is None else keys.slot(max(seq - 1, 0))
        query = Query(
            partition=keys.session(session_id),
            where=Path(SK).between(text(keys.slot(0)), text(last)),
            newest_first=True,
            limit=limit,
        )
        return [to_entry(found) for found in reversed(self._sessions.page(query).items)]


def slot_write(session_id: SessionId, slot: int, frame: Frame, now: datetime) -> Put:
    stored = item(
        keys.session(session_id),
        keys.slot(slot),
        id=text(frame.id),
        attempt=None if frame.attempt is None else number(frame.attempt),
        at=number((now - _EPOCH) // _MILLISECOND),
        events=text(values.compact([dict(event) for event in frame.events])),
    )
    return Put(stored, ABSENT)


def entry(slot: int, frame: Frame, now: datetime) -> Entry:
    """As it will be read: the log keeps milliseconds."""
    return Entry(slot, _EPOCH + (now - _EPOCH) // _MILLISECOND * _MILLISECOND, frame)


def to_entry(stored: Item) -> Entry:
    attempt = stored.get("attempt")
    frame = Frame(
        id=stored["id"]["S"],
        events=tuple(json.loads(stored["events"]["S"])),
        attempt=None if attempt is None else int(attempt["N"]),
    )
    at = _EPOCH + int(stored["at"]["N"]) * _MILLISECOND
    return Entry(keys.seq_of(stored[SK]["S"]), at, frame)


def behind(
    sessions: Table, session_id: SessionId, frame_id: str, slot: int
) -> tuple[Entry | None, int]:
    """Looks through the ids only; the entry is read when it is ours."""
    partition = keys.session(session_id)
    where = Path(SK).between(text(keys.slot(slot + 1)), text(keys.LAST_SLOT))
    tail = slot
    for found in sessions.items(Query(partition=partition, where=where, only=(SK, "id"))):
        tail = keys.seq_of(found[SK]["S"])
        if found["id"]["S"] == frame_id:
            own = sessions.get(partition, found[SK]["S"])
            return (None if own is None else to_entry(own)), tail
    return None, tail


@dataclass(frozen=True, slots=True)
class _FrameLog:
    sessions: Table
    session_id: SessionId
    frame: Frame
    now: datetime

    def put(self, slot: int) -> Entry | None:
        try:
            self.sessions.write(slot_write(self.session_id, slot, self.frame, self.now))
        except Refused as refused:
            if refused.item is None:
                raise Unsure from refused
            return to_entry(refused.item)
        return None

    def behind(self, slot: int) -> tuple[Entry | None, int]:
        return behind(self.sessions, self.session_id, self.frame.id, slot)
