"""Who is connected to a session: one partition that the hot path reads with one query."""

from datetime import datetime, timedelta

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.failures import Refused
from shared.adapters.dynamodb.keys import SK
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.tickets import use_up
from shared.adapters.dynamodb.writes import (
    ABSENT,
    PRESENT,
    Check,
    Delete,
    Put,
    Update,
    assign,
    equals,
    item,
    number,
    text,
)
from shared.app.ports.connections import Audience, BridgeLink, Gone, Viewer
from shared.domain.errors import Rejected, Unauthenticated
from shared.domain.session.state import SessionId

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
        used = use_up(ticket_hash, session_id, viewer.user, now)
        steps = (
            self._sessions.step("view", Put(row, ABSENT)),
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
        self._sessions.write(Delete(keys.connections(session_id), keys.view(connection_id)))

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
