"""Participants of sessions: an item each, and in it whether the session waits for that person.

An item that does has both attributes of the index of recency, in a list of that person's own.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, meta
from shared.adapters.dynamodb.failures import Refused
from shared.adapters.dynamodb.keys import PK, SK
from shared.adapters.dynamodb.recency import Place, newest
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.writes import (
    ABSENT,
    Attribute,
    Item,
    Update,
    assign,
    equals,
    number,
    text,
)
from shared.app.ports.members import Found, MemberChanged
from shared.app.ports.sessions import Commit
from shared.domain.inbox import Member, joining
from shared.domain.listing import Shelf, Wanted
from shared.domain.session.facts import PromptQueued
from shared.domain.session.state import Session, SessionId, UserId


class DynamoMembers:
    def __init__(self, sessions: Table) -> None:
        self._sessions = sessions

    def get(self, session_id: SessionId, user: UserId) -> Member | None:
        found = self._sessions.get(keys.session(session_id), keys.member(user))
        return None if found is None else _to_member(found)

    def of_session(self, session_id: SessionId) -> Sequence[Member]:
        where = Path(SK).startswith(keys.MEMBER)
        query = Query(partition=keys.session(session_id), where=where)
        return [_to_member(found) for found in self._sessions.items(query)]

    def put(self, session: Session, before: Member | None, after: Member) -> None:
        written = _attributes(session, after)
        condition = ABSENT
        if before is not None:
            condition = equals("read", number(before.read)) & equals("filed", number(before.filed))
        key = keys.session(session.id), keys.member(after.user)
        try:
            self._sessions.write(Update(*key, assign(**written), condition))
        except Refused as refused:
            # Ours is there when the answer to this very call was lost.
            if refused.item is None or any(refused.item.get(n) != v for n, v in written.items()):
                raise MemberChanged from None

    def inbox(self, user: UserId, *, newest: int, most: int, owner: UserId | None) -> Found:
        wanted = Wanted(owner=owner)
        unread = self._places([keys.unread_list(user)], wanted, most + 1)
        places = [
            *unread[:most],
            *self._places(keys.list_shards(Shelf.ACTIVE), wanted, most),
            *self._places(keys.list_shards(Shelf.OPEN), wanted, newest),
        ]
        partitions = dict.fromkeys(partition for _, partition in places)
        return Found(list(self._read(partitions, user)), more=len(unread) > most)

    def _places(self, shards: Iterable[str], wanted: Wanted, many: int) -> list[Place]:
        return list(islice(newest(self._sessions, shards, wanted, many), many))

    def _read(
        self, partitions: Iterable[str], user: UserId
    ) -> Iterator[tuple[Session, Member | None]]:
        sort_keys = keys.META, keys.member(user)
        items = self._sessions.get_all([(pk, sk) for pk in partitions for sk in sort_keys])
        members = {it[PK]["S"]: _to_member(it) for it in items if it[SK]["S"] != keys.META}
        for found in items:
            if found[SK]["S"] == keys.META:
                yield meta.to_session(found), members.get(found[PK]["S"])


def member_writes(commit: Commit) -> list[Update]:
    """Whoever asks for something is a participant from then on."""
    asked = [fact.prompt.author.user for fact in commit.facts if isinstance(fact, PromptQueued)]
    return [_asked(commit, user, asked.count(user)) for user in dict.fromkeys(asked)]


def _asked(commit: Commit, user: UserId, prompts: int) -> Update:
    joined = joining(commit.before, user)
    return Update(
        keys.session(commit.after.id),
        keys.member(user),
        [
            Path("read").set(Path("read") | number(joined.read)),
            Path("filed").set(Path("filed") | number(joined.filed)),
            *assign(seen_at=text(keys.instant(commit.now))),
            Path("prompts").add(number(prompts)),
        ],
    )


def _attributes(session: Session, member: Member) -> dict[str, Attribute | None]:
    seen_at = None if member.seen_at is None else text(keys.instant(member.seen_at))
    listed = {
        "list_shard": text(keys.unread_list(member.user)),
        "list_key": text(keys.list_key(session.updated_at, session.id)),
        "owner": text(session.owner),
    }
    return {
        "read": number(member.read),
        "filed": number(member.filed),
        **({"seen_at": seen_at} if seen_at else {}),
        **(listed if member.unread else dict.fromkeys(listed)),
    }


def _to_member(found: Item) -> Member:
    seen_at = found.get("seen_at")
    return Member(
        user=UserId(found[SK]["S"].removeprefix(keys.MEMBER)),
        read=int(found["read"]["N"]),
        filed=int(found["filed"]["N"]),
        unread="list_shard" in found,
        prompts=int(found["prompts"]["N"]) if "prompts" in found else 0,
        seen_at=None if seen_at is None else datetime.fromisoformat(seen_at["S"]),
    )
