"""Personal access tokens: made, listed, revoked, and what somebody who has one may do.

Its text names its user and itself, so one read finds the row and nothing else has to be kept; what
it says is worth nothing until the hash of the whole matches.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.app import tokens
from shared.app.ports.access_tokens import AccessToken, AccessTokens
from shared.app.ports.workspace import User, Users
from shared.domain.access import LONGEST_LIFE, SHORTEST_LIFE, Scope
from shared.domain.errors import (
    Contended,
    Invalid,
    NotFound,
    Rejected,
    Unauthenticated,
    Unavailable,
)

MOST = 50
"""Of one user; what has expired does not count."""

_ID = 12
"""Of one user's few tokens: short enough to type."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalTokens:
    store: AccessTokens
    users: Users
    clock: Callable[[], datetime]
    new_id: Callable[[], str]

    def create(
        self, user: User, name: str, scope: Scope, life: timedelta
    ) -> tuple[str, AccessToken]:
        """The text is shown this once. Raises `Invalid`, `Rejected` when there are too many."""
        if not SHORTEST_LIFE <= life <= LONGEST_LIFE:
            raise Invalid("days", "a token lives from 1 to 365 days")
        now = self.clock()
        if sum(token.expires_at > now for token in self.store.of(user.id)) >= MOST:
            raise Rejected(f"{MOST} tokens are the most; revoke one that nobody uses")
        token_id = self.new_id()[:_ID]
        text = tokens.new_access_token(user.id, token_id)
        token = AccessToken(
            token_id, user.id, name, scope, now, now + life, token_hash=tokens.digest(text)
        )
        self.store.add(token)
        logger.info("token_created", extra={"user": user.id, "token": token_id, "scope": scope})
        return text, token

    def authenticate(self, text: str) -> tuple[User, Scope]:
        """Raises `Unauthenticated`. Writes at most once a day."""
        claim = tokens.access_claim(text)
        token = self.store.get(claim.user, claim.id) if claim else None
        if token is None or not tokens.matches(text, token.token_hash):
            raise Unauthenticated("this token is unknown or revoked")
        if token.expires_at <= self.clock():
            raise Unauthenticated("this token has expired")
        user = self.users.get(token.user)
        if user is None:
            raise Unauthenticated("nobody has this token any more")
        self._note(token)
        return user, token.scope

    def _note(self, token: AccessToken) -> None:
        """Best effort: a day that was not noted is no reason to refuse anybody."""
        today = self.clock().date()
        if token.last_used == today.isoformat():
            return
        try:
            self.store.used(token.user, token.id, today)
        except (Contended, Unavailable):
            logger.info("token_use_not_noted", extra={"token": token.id})

    def of(self, user: User) -> Sequence[AccessToken]:
        """Those that are still good, the oldest first."""
        now = self.clock()
        return [token for token in self.store.of(user.id) if token.expires_at > now]

    def revoke(self, user: User, token_id: str) -> None:
        """One of this user's own. Raises `NotFound`."""
        if self.store.get(user.id, token_id) is None:
            raise NotFound(f"you have no token {token_id!r}")
        self.store.revoke(user.id, token_id)
        logger.info("token_revoked", extra={"user": user.id, "token": token_id})

    def revoke_all(self, user: User) -> None:
        for token in self.store.of(user.id):
            self.store.revoke(user.id, token.id)
