"""Who is connected to a session: one partition that the hot path reads with one query."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import islice

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.failures import Refused
from shared.adapters.dynamodb.keys import EXPIRES_AT, SK
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.tickets import use_up
from shared.adapters.dynamodb.writes import (
    ABSENT,
    PRESENT,
    Check,
    Delete,
    Item,
    Put,
    Update,
    assign,
    equals,
    item,
    number,
    text,
)
from shared.app.ports.connections import Audience, BridgeLink, Gone, Viewer, Watching
from shared.domain.errors import Rejected, Unauthenticated
from shared.domain.session.state import SessionId, UserId

MOST_OF_USER = 500
VIEW_LIFE = timedelta(hours=2)
"""The longest that API Gateway keeps a socket open."""


class DynamoConnections:
    def __init__(self, sessions: Table, workspace: Table) -> None:
        self._sessions = sessions
        self._workspace = workspace

    def audience(self, session_id: SessionId) -> Audience:
        bridge: BridgeLink | None = None
        viewers: list[Viewer] = []
        for found in self._sessions.items(Query(partition=keys.connections(session_id))):
            if found[SK]["S"] == keys.BRIDGE:
                bridge = values.load(BridgeLink, found["link"]["S"])
            else:
                viewers.append(values.load(Viewer, found["viewer"]["S"]))
        return Audience(bridge, tuple(viewers))

    def join(self, session_id: SessionId, viewer: Viewer, ticket_hash: str, now: datetime) -> None:
        row = item(
            keys.connections(session_id),
            keys.view(viewer.connection_id),
            viewer=text(values.dump(viewer)),
            expires_at=number(int((now + VIEW_LIFE).timestamp())),
        )
        found_by_user = item(
            keys.viewers(viewer.user),
            keys.view(viewer.connection_id),
            session=text(session_id),
            login=None if viewer.login is None else text(viewer.login),
            expires_at=row[EXPIRES_AT],
        )
        used = use_up(ticket_hash, session_id, viewer.user, now)
        steps = (
            self._sessions.step("view", Put(row, ABSENT)),
            self._sessions.step("user", Put(found_by_user, None)),
            self._workspace.step("ticket", used),
        )
        if self._sessions.database.transact(steps):
            raise Unauthenticated("this ticket is used, expired or another session's")

    def update(self, session_id: SessionId, viewer: Viewer) -> None:
        change = Update(
            keys.connections(session_id),
            keys.view(viewer.connection_id),
            assign(viewer=text(values.dump(viewer))),
            PRESENT,
        )
        try:
            self._sessions.write(change)
        except Refused:
            raise Gone(viewer.connection_id) from None

    def leave(self, session_id: SessionId, connection_id: str) -> None:
        """What a lost answer leaves of the second row goes by itself, as its socket has."""
        view = keys.view(connection_id)
        left = self._sessions.write(Delete(keys.connections(session_id), view))
        if left:
            user = values.load(Viewer, left["viewer"]["S"]).user
            self._sessions.write(Delete(keys.viewers(user), view))

    def of_user(self, user: UserId, now: datetime) -> Sequence[Watching]:
        lasting = Path(EXPIRES_AT) > number(int(now.timestamp()))
        found = self._sessions.items(Query(partition=keys.viewers(user), matching=lasting))
        return [_watching(row) for row in islice(found, MOST_OF_USER)]

    def attach(self, session_id: SessionId, link: BridgeLink) -> None:
        row = item(
            keys.connections(session_id),
            keys.BRIDGE,
            connection=text(link.connection_id),
            link=text(values.dump(link)),
        )
        living = equals("living", number(link.attempt))
        steps = (
            self._sessions.step("meta", Check(keys.session(session_id), keys.META, living)),
            self._sessions.step("bridge", Put(row, None)),
        )
        if self._sessions.database.transact(steps):
            raise Rejected(f"attempt {link.attempt} is over")

    def detach(self, session_id: SessionId, connection_id: str) -> None:
        ours = equals("connection", text(connection_id))
        try:
            self._sessions.write(Delete(keys.connections(session_id), keys.BRIDGE, ours))
        except Refused:
            return  # a newer bridge is attached, or none


def _watching(found: Item) -> Watching:
    connection_id = found[SK]["S"].removeprefix(keys.view(""))
    login = found["login"]["S"] if "login" in found else None
    return Watching(SessionId(found["session"]["S"]), connection_id, login)
