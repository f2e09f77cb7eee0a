"""Accounts at providers and whose they are here, and sealed grants."""

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.failures import Refused
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.writes import ABSENT, Delete, Put, equals, item, text
from shared.app.ports.grants import KeptGrant
from shared.domain.errors import Contended
from shared.domain.session.state import UserId

_TRIES = 5


class DynamoIdentities:
    def __init__(self, workspace: Table) -> None:
        self._workspace = workspace

    def user_of(self, provider: str, person_id: str) -> UserId | None:
        found = self._workspace.get(keys.identity(provider, person_id), keys.IDENTITY)
        return None if found is None else UserId(found["user"]["S"])

    def link(self, provider: str, person_id: str, user: UserId) -> UserId:
        row = item(keys.identity(provider, person_id), keys.IDENTITY, user=text(user))
        try:
            self._workspace.write(Put(row, ABSENT))
        except Refused as refused:
            return UserId(refused.item["user"]["S"]) if refused.item else user
        return user

    def unlink(self, provider: str, person_id: str, user: UserId) -> None:
        theirs = equals("user", text(user))
        try:
            self._workspace.write(Delete(keys.identity(provider, person_id), keys.IDENTITY, theirs))
        except Refused:
            return  # it is somebody else's, or nobody's any more


class DynamoGrants:
    def __init__(self, workspace: Table) -> None:
        self._workspace = workspace

    def get(self, user: UserId, provider: str) -> KeptGrant | None:
        found = self._workspace.get(keys.grants(user), keys.grant(provider))
        return None if found is None else values.load(KeptGrant, found["grant"]["S"])

    def put(self, grant: KeptGrant) -> None:
        for _ in range(_TRIES):
            there = self.get(grant.user, grant.provider)
            if self._put(grant, there.version if there else None):
                return
        raise Contended("this grant is being refreshed by somebody else")

    def forget(self, user: UserId, provider: str) -> None:
        there = self.get(user, provider)
        if there is None:
            return
        seen = equals("version", text(there.version))
        try:
            self._workspace.write(Delete(keys.grants(user), keys.grant(provider), seen))
        except Refused as refused:
            if refused.item:
                raise Contended("this grant is being refreshed by somebody else") from refused

    def swap(self, version: str, grant: KeptGrant) -> bool:
        return self._put(grant, version)

    def _put(self, grant: KeptGrant, instead_of: str | None) -> bool:
        try:
            self._workspace.write(_row(grant, instead_of))
        except Refused as refused:
            # This very call, whose answer was lost, has found its own write there.
            return refused.item is not None and refused.item["version"]["S"] == grant.version
        return True


def _row(grant: KeptGrant, instead_of: str | None) -> Put:
    row = item(
        keys.grants(grant.user),
        keys.grant(grant.provider),
        grant=text(values.dump(grant)),
        version=text(grant.version),
    )
    return Put(row, ABSENT if instead_of is None else equals("version", text(instead_of)))
