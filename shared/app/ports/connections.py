"""Who is connected to a session right now, and how to reach them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.domain.session.state import SessionId, UserId


class Gone(Exception):
    """The socket is closed, or not open yet."""


@dataclass(frozen=True, slots=True)
class BridgeLink:
    connection_id: str
    attempt: int
    cursor_key: str
    live: bool = False
    protocol: int = 1
    """Which its hello said it speaks."""


@dataclass(frozen=True, slots=True)
class Viewer:
    connection_id: str
    user: UserId
    name: str
    live: bool = False
    visible: bool = True
    seen_at: datetime | None = None
    """When it last pinged, or joined."""
    login: str | None = None
    """The hash of the browser's login that asked for it; None: a token did."""


@dataclass(frozen=True, slots=True)
class Watching:
    """A socket of somebody, where it is and what began it."""

    session_id: SessionId
    connection_id: str
    login: str | None


@dataclass(frozen=True, slots=True)
class Audience:
    bridge: BridgeLink | None
    viewers: tuple[Viewer, ...]

    @property
    def live(self) -> tuple[Viewer, ...]:
        return tuple(viewer for viewer in self.viewers if viewer.live)


class Connections(Protocol):
    def audience(self, session_id: SessionId) -> Audience:
        """One consistent query: the hot path's only read."""
        ...

    def join(self, session_id: SessionId, viewer: Viewer, ticket_hash: str, now: datetime) -> None:
        """Keep it as pending and use the ticket up, in one transaction.

        Raises `Unauthenticated` when the ticket is used, expired, another session's or another
        user's.
        """
        ...

    def update(self, session_id: SessionId, viewer: Viewer) -> None:
        """Live, visible, seen: whatever changed. Raises `Gone` when its row is not there."""
        ...

    def leave(self, session_id: SessionId, connection_id: str) -> None: ...

    def of_user(self, user: UserId, now: datetime) -> Sequence[Watching]:
        """All that this user has joined and not left: at most 500, and some may be gone."""
        ...

    def attach(self, session_id: SessionId, link: BridgeLink) -> None:
        """Replaces the session's bridge, if that attempt is current and has not ended.

        Checked in the same transaction. Raises `Rejected`. Also how a bridge becomes live. The
        commit that chooses the attempt's ending removes it.
        """
        ...

    def detach(self, session_id: SessionId, connection_id: str) -> None:
        """Only that connection's row: a newer bridge stays."""
        ...


class Sockets(Protocol):
    """One WebSocket API's way out."""

    def post(self, connection_id: str, message: str) -> None:
        """Raises `Gone`; `Unavailable` for everything that may pass."""
        ...

    def close(self, connection_id: str) -> None:
        """Closed already is fine. Raises `Unavailable`."""
        ...
