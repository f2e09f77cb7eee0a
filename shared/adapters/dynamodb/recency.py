"""The list of sessions, newest first: the shards of an index, merged.

The index holds keys and what is filtered by, so that a commit that does not move a session in the
list does not write the index either; the sessions themselves are read from the table.
"""

import binascii
import heapq
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, meta
from shared.adapters.dynamodb.keys import PK, RECENT
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.writes import equals, text
from shared.app.ports.sessions import SessionPage
from shared.domain.errors import Invalid
from shared.domain.session.state import Session, SessionStatus, UserId

_CURSOR = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z#.+", re.ASCII)
_FILTERED_PAGE = 1_000
"""How many keys are looked at in one go where most of them may not match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    limit: int
    start: str | None
    status: SessionStatus | None
    owner: UserId | None

    def matches(self, session: Session) -> bool:
        archived = meta.is_archived(session.status) == meta.is_archived(self.status)
        return archived and self.status in {None, session.status}


def recent(sessions: Table, wanted: Wanted) -> SessionPage:
    before = None if wanted.start is None else _position(wanted.start)
    shards = keys.list_shards(archived=meta.is_archived(wanted.status))
    lists = [_shard(sessions, shard, before, wanted) for shard in shards]
    found = list(islice(heapq.merge(*lists, reverse=True), wanted.limit + 1))
    page = found[: wanted.limit]
    more = len(found) > len(page)
    return SessionPage(
        sessions=tuple(_read(sessions, [partition for _, partition in page], wanted)),
        next=_cursor(page[-1][0]) if more else None,
    )


def _shard(
    sessions: Table, shard: str, before: str | None, wanted: Wanted
) -> Iterator[tuple[str, str]]:
    """Sort key and partition of each, newest first."""
    matching = _matching(wanted)
    query = Query(
        partition=shard,
        index=RECENT,
        where=None if before is None else Path(RECENT.sort) < text(before),
        matching=matching,
        newest_first=True,
        limit=wanted.limit + 1 if matching is None else _FILTERED_PAGE,
    )
    for found in sessions.items(query):
        yield found[RECENT.sort]["S"], found[PK]["S"]


def _matching(wanted: Wanted) -> Condition | None:
    conditions: list[Condition] = []
    if wanted.status is not None and not meta.is_archived(wanted.status):
        conditions.append(equals("status", text(wanted.status)))
    if wanted.owner is not None:
        conditions.append(equals("owner", text(wanted.owner)))
    match conditions:
        case []:
            return None
        case [one]:
            return one
        case _:
            return conditions[0] & conditions[1]


def _read(sessions: Table, partitions: list[str], wanted: Wanted) -> Iterator[Session]:
    """In the list's order. The table may know better than the index what matches."""
    items = sessions.get_all([(partition, keys.META) for partition in partitions])
    found = {item[PK]["S"]: meta.to_session(item) for item in items}
    present = (found[partition] for partition in partitions if partition in found)
    return filter(wanted.matches, present)


def _cursor(list_key: str) -> str:
    return urlsafe_b64encode(list_key.encode()).decode().rstrip("=")


def _position(cursor: str) -> str:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        list_key = urlsafe_b64decode(padded.encode("ascii")).decode()
    except (binascii.Error, UnicodeError):
        raise Invalid("start", "not a place in this list") from None
    if not _CURSOR.fullmatch(list_key):
        raise Invalid("start", "not a place in this list")
    return list_key
