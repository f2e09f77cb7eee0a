"""Accounts at providers, sign-ins under way and sealed grants in memory."""

from shared.app.ports.grants import KeptGrant
from shared.app.ports.identities import SignInUnderWay
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

    def begin(self, state_hash: str, under_way: SignInUnderWay) -> None:
        with self._memory.writing():
            self._memory.under_way[state_hash] = under_way

    def take(self, state_hash: str) -> SignInUnderWay | None:
        with self._memory.writing():
            return self._memory.under_way.pop(state_hash, None)


class InMemoryGrants:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def get(self, user: UserId, provider: str) -> KeptGrant | None:
        return self._memory.grants.get((user, provider))

    def put(self, grant: KeptGrant) -> None:
        with self._memory.writing():
            self._memory.grants[grant.user, grant.provider] = grant

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
