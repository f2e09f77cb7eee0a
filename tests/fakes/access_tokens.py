"""Personal access tokens in memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from shared.app.ports.access_tokens import AccessToken
from shared.domain.session.state import UserId
from tests.fakes.store_memory import Memory


class InMemoryAccessTokens:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def add(self, token: AccessToken) -> None:
        with self._memory.writing():
            self._memory.access_tokens[token.user, token.id] = token

    def get(self, user: UserId, token_id: str) -> AccessToken | None:
        return self._memory.access_tokens.get((user, token_id))

    def of(self, user: UserId) -> Sequence[AccessToken]:
        theirs = [token for token in self._memory.access_tokens.values() if token.user == user]
        return sorted(theirs, key=lambda token: (token.created_at, token.id))

    def used(self, user: UserId, token_id: str, day: date) -> None:
        with self._memory.writing():
            known = self._memory.access_tokens.get((user, token_id))
            if known is not None and (known.last_used or "") < day.isoformat():
                used = replace(known, last_used=day.isoformat())
                self._memory.access_tokens[user, token_id] = used

    def revoke(self, user: UserId, token_id: str) -> None:
        with self._memory.writing():
            self._memory.access_tokens.pop((user, token_id), None)
