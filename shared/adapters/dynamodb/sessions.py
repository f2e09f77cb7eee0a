"""Sessions: created, read and committed to in one partition each, listed by an index."""

from collections.abc import Sequence

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import boots, commits, keys, meta
from shared.adapters.dynamodb.artifacts import to_artifact
from shared.adapters.dynamodb.failures import Refused
from shared.adapters.dynamodb.keys import PK, SK
from shared.adapters.dynamodb.prompts import is_long, to_record
from shared.adapters.dynamodb.recency import recent
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.writes import text
from shared.app.ports.boots import BootRecord
from shared.app.ports.sessions import (
    Answered,
    Artifact,
    Commit,
    Committed,
    PromptRecord,
    SessionPage,
)
from shared.domain.errors import Conflict, NotFound
from shared.domain.listing import OPEN_ONES, Wanted
from shared.domain.session.state import Session, SessionId


class DynamoSessions:
    def __init__(self, sessions: Table) -> None:
        self._sessions = sessions

    def create(self, session: Session, fingerprint: str) -> Session:
        try:
            self._sessions.write(meta.created(session, fingerprint))
        except Refused as refused:
            if refused.item is None or refused.item["fingerprint"]["S"] != fingerprint:
                raise Conflict(f"session {session.id} exists, made of something else") from None
            return meta.to_session(refused.item)
        return session

    def load(self, session_id: SessionId) -> Session:
        found = self._sessions.get(keys.session(session_id), keys.META)
        if found is None:
            raise NotFound(f"no session {session_id!r}")
        return meta.to_session(found)

    def commit(self, commit: Commit) -> Committed:
        return commits.perform(self._sessions, commit)

    def answered(self, session_id: SessionId, request_id: str) -> Answered | None:
        found = self._sessions.get(keys.session(session_id), keys.request(request_id))
        if found is None:
            return None
        return Answered(found["fingerprint"]["S"], int(found["prompt"]["N"]))

    def prompt(self, session_id: SessionId, number: int) -> PromptRecord:
        partition = keys.session(session_id)
        found = self._sessions.get(partition, keys.prompt(number))
        if found is None:
            raise NotFound(f"no prompt {number} in session {session_id!r}")
        whole = self._sessions.get(partition, keys.text(number)) if is_long(found) else None
        return to_record(found, None if whole is None else whole["text"]["S"])

    def prompts(self, session_id: SessionId, *, after: int, limit: int) -> Sequence[PromptRecord]:
        where = Path(SK).between(text(keys.prompt(after + 1)), text(keys.LAST_PROMPT))
        query = Query(partition=keys.session(session_id), where=where, limit=limit)
        return [to_record(found) for found in self._sessions.page(query).items]

    def artifacts(self, session_id: SessionId) -> Sequence[Artifact]:
        where = Path(SK).startswith(keys.artifact(""))
        query = Query(partition=keys.session(session_id), where=where)
        return [to_artifact(found) for found in self._sessions.items(query)]

    def alive(self) -> Sequence[SessionId]:
        return [
            keys.session_of(found[PK]["S"])
            for shard in keys.alive_shards()
            for found in self._sessions.items(Query(partition=shard, index=keys.ALIVE))
        ]

    def boots(self, session_id: SessionId, *, limit: int) -> Sequence[BootRecord]:
        return boots.boots(self._sessions, session_id, limit)

    def recent(
        self,
        *,
        limit: int,
        start: str | None = None,
        wanted: Wanted = OPEN_ONES,
    ) -> SessionPage:
        return recent(self._sessions, limit=limit, start=start, wanted=wanted)
