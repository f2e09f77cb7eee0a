"""Accounts at providers and sealed grants in memory."""

from shared.app.ports.grants import KeptGrant
from shared.domain.errors import Unavailable
from shared.domain.session.state import UserId
from tests.fakes.store_memory import Memory


class InMemoryIdentities:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def user_of(self, provider: str, person_id: str) -> UserId | None:
        return self._memory.identities.get((provider, person_id))

    def link(self, provider: str, person_id: str, user: UserId) -> UserId:
        with self._memory.writing():
            return self._memory.identities.setdefault((provider, person_id), user)

    def unlink(self, provider: str, person_id: str, user: UserId) -> None:
        with self._memory.writing():
            if self.user_of(provider, person_id) == user:
                del self._memory.identities[provider, person_id]


class InMemoryGrants:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def get(self, user: UserId, provider: str) -> KeptGrant | None:
        return self._memory.grants.get((user, provider))

    def put(self, grant: KeptGrant) -> None:
        with self._memory.writing():
            self._memory.grants[grant.user, grant.provider] = grant

    def forget(self, user: UserId, provider: str) -> None:
        with self._memory.writing():
            self._memory.grants.pop((user, provider), None)

    def swap(self, version: str, grant: KeptGrant) -> bool:
        with self._memory.writing():
            there = self._memory.grants.get((grant.user, grant.provider))
            if there is None or there.version not in {version, grant.version}:
                return False
            self._memory.grants[grant.user, grant.provider] = grant
            return True


class FakeSeal:
    """Opens only for the context that it was sealed for."""

    def seal(self, context: str, plain: bytes) -> bytes:
        return f"{context}\n".encode() + plain[::-1]

    def open(self, context: str, sealed: bytes) -> bytes:
        start = f"{context}\n".encode()
        if not sealed.startswith(start):
            raise Unavailable("this does not open")
        return sealed.removeprefix(start)[::-1]
