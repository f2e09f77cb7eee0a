"""The lists of sessions, newest first: the shards of an index, merged.

The index holds keys and what is filtered by, so that a commit that does not move a session in the
list does not write the index either; the sessions themselves are read from the table. Words are
looked for there, in a bounded number of sessions for one page.
"""

import binascii
import heapq
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Sequence
from itertools import batched, islice

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, meta
from shared.adapters.dynamodb.keys import PK, RECENT
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.writes import equals, text
from shared.app.ports.sessions import SessionPage
from shared.domain.errors import Invalid
from shared.domain.listing import Shelf, Wanted, shelf_of
from shared.domain.session.state import Session

MOST_SEARCHED = 500
"""Sessions that are read for one page of a search."""

_CURSOR = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z#.+", re.ASCII)
_FILTERED_PAGE = 1_000
"""How many keys are looked at in one go where most of them may not match."""

_READ_AT_ONCE = 100

type Place = tuple[str, str]
"""The sort key of a session in its list, and its partition."""


def recent(sessions: Table, *, limit: int, start: str | None, wanted: Wanted) -> SessionPage:
    before = None if start is None else _position(start)
    most = MOST_SEARCHED if wanted.words else limit
    shards = [shard for shelf in _shelves(wanted) for shard in keys.list_shards(shelf)]
    upcoming = list(islice(newest(sessions, shards, wanted, most + 1, before), most + 1))
    found: list[Session] = []
    last = len(upcoming[:most])
    for index, session in _read(sessions, upcoming[:most]):
        if wanted.matches(session):
            found.append(session)
        if len(found) == limit:
            last = index + 1
            break
    more = last < len(upcoming)
    return SessionPage(tuple(found), _cursor(upcoming[last - 1][0]) if more else None)


def newest(
    sessions: Table, shards: Iterable[str], wanted: Wanted, many: int, before: str | None = None
) -> Iterator[Place]:
    """Of these lists, by the index alone: words are not in it. `many` is how many are needed."""
    lists = [_shard(sessions, shard, wanted, many, before) for shard in shards]
    return heapq.merge(*lists, reverse=True)


def _shelves(wanted: Wanted) -> Sequence[Shelf]:
    if wanted.status is None:
        return wanted.lifecycle.shelves
    only = shelf_of(wanted.status)
    return [shelf for shelf in wanted.lifecycle.shelves if shelf is only]


def _shard(
    sessions: Table, shard: str, wanted: Wanted, many: int, before: str | None
) -> Iterator[Place]:
    matching = _matching(wanted)
    query = Query(
        partition=shard,
        index=RECENT,
        where=None if before is None else Path(RECENT.sort) < text(before),
        matching=matching,
        newest_first=True,
        limit=min(many, _READ_AT_ONCE + 1) if matching is None else _FILTERED_PAGE,
    )
    for found in sessions.items(query):
        yield found[RECENT.sort]["S"], found[PK]["S"]


def _matching(wanted: Wanted) -> Condition | None:
    conditions: list[Condition] = []
    if wanted.status is not None:
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


def _read(sessions: Table, upcoming: Sequence[Place]) -> Iterator[tuple[int, Session]]:
    """In the list's order, as many at once as one request takes."""
    for batch in batched(enumerate(upcoming), _READ_AT_ONCE):
        items = sessions.get_all([(partition, keys.META) for _, (_, partition) in batch])
        found = {item[PK]["S"]: meta.to_session(item) for item in items}
        for index, (_, partition) in batch:
            if partition in found:
                yield index, found[partition]


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
