"""Connections in memory."""

from collections.abc import Sequence
from datetime import datetime

from shared.app.ports.connections import Audience, BridgeLink, Gone, Viewer, Watching
from shared.domain.errors import Rejected, Unauthenticated
from shared.domain.session.state import SessionId, UserId
from tests.fakes.store_memory import Memory


class InMemoryConnections:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def audience(self, session_id: SessionId) -> Audience:
        viewers = sorted(
            self._memory.viewers[session_id].values(), key=lambda viewer: viewer.connection_id
        )
        return Audience(self._memory.bridges.get(session_id), tuple(viewers))

    def join(self, session_id: SessionId, viewer: Viewer, ticket_hash: str, now: datetime) -> None:
        with self._memory.writing():
            ticket = self._memory.tickets.get(ticket_hash)
            if (
                ticket is None
                or (ticket.session_id, ticket.user) != (session_id, viewer.user)
                or ticket.expires_at <= now
            ):
                raise Unauthenticated("this ticket is used, expired or another session's")
            del self._memory.tickets[ticket_hash]
            self._memory.viewers[session_id][viewer.connection_id] = viewer

    def update(self, session_id: SessionId, viewer: Viewer) -> None:
        with self._memory.writing():
            if viewer.connection_id not in self._memory.viewers[session_id]:
                raise Gone(viewer.connection_id)
            self._memory.viewers[session_id][viewer.connection_id] = viewer

    def leave(self, session_id: SessionId, connection_id: str) -> None:
        with self._memory.writing():
            self._memory.viewers[session_id].pop(connection_id, None)

    def of_user(self, user: UserId, now: datetime) -> Sequence[Watching]:
        return [
            Watching(session_id, viewer.connection_id, viewer.login)
            for session_id, viewers in self._memory.viewers.items()
            for viewer in viewers.values()
            if viewer.user == user
        ]

    def attach(self, session_id: SessionId, link: BridgeLink) -> None:
        with self._memory.writing():
            partition = self._memory.partitions.get(session_id)
            attempt = partition and partition.session.current(link.attempt)
            if attempt is None or attempt.ending:
                raise Rejected(f"attempt {link.attempt} is over")
            self._memory.bridges[session_id] = link

    def detach(self, session_id: SessionId, connection_id: str) -> None:
        with self._memory.writing():
            link = self._memory.bridges.get(session_id)
            if link is not None and link.connection_id == connection_id:
                del self._memory.bridges[session_id]
