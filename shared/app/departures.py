"""Signing out: logins that end, and the sockets that were theirs.

A socket is no login: who asked for it was looked at once. So what ends a login closes its sockets.
"""

import logging
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from datetime import datetime

from shared.app import tokens
from shared.app.access_tokens import PersonalTokens
from shared.app.audiences import Audiences
from shared.app.ports.connections import Connections, Watching
from shared.app.ports.workspace import User, Users
from shared.app.sign_ins import SignIns
from shared.domain.errors import Unavailable
from shared.domain.session.state import UserId

CLOSING_SECONDS = 5.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Departures:
    users: Users
    sign_ins: SignIns
    personal_tokens: PersonalTokens
    connections: Connections
    audiences: Audiences
    clock: Callable[[], datetime]

    def sign_out(self, login: str) -> None:
        """One browser, and its sockets. Safe to repeat."""
        user, login_hash = self.sign_ins.end(login), tokens.digest(login)
        if user is not None:
            self._close([each for each in self._sockets(user) if each.login == login_hash])

    def everywhere(self, user: User, *, with_tokens: bool) -> None:
        """Every browser of a user and every socket. Raises `Contended`, `Unavailable`.

        Personal access tokens stay unless they are to go, too; the first token always stays: a new
        one is what ends that.
        """
        self.users.sign_out(user.id)
        if with_tokens:
            self.personal_tokens.revoke_all(user)
        self.close_sockets(user.id)

    def close_sockets(self, user: UserId) -> None:
        """All of somebody: who may stay asks for another ticket."""
        self._close(self._sockets(user))

    def _sockets(self, user: UserId) -> list[Watching]:
        return list(self.connections.of_user(user, self.clock()))

    def _close(self, sockets: list[Watching]) -> None:
        """Best effort, in a few seconds: what is left open ends by itself within two hours."""
        closing: list[Future[None]] = [
            self.audiences.pool.submit(self._close_one, socket) for socket in sockets
        ]
        _, late = wait(closing, timeout=CLOSING_SECONDS)
        for each in late:
            each.cancel()
        if late:
            logger.warning("sockets_not_closed", extra={"sockets": len(late)})

    def _close_one(self, socket: Watching) -> None:
        try:
            self.audiences.clients.close(socket.connection_id)
            self.connections.leave(socket.session_id, socket.connection_id)
        except Unavailable:
            logger.warning("socket_not_closed", extra={"session_id": socket.session_id})
