"""Personal access tokens: a partition for each user, an item for each token."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from math import ceil

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.failures import Refused
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.writes import (
    ABSENT,
    PRESENT,
    Delete,
    Item,
    Put,
    Update,
    assign,
    item,
    number,
    text,
)
from shared.app.ports.access_tokens import AccessToken
from shared.domain.session.state import UserId


class DynamoAccessTokens:
    def __init__(self, workspace: Table) -> None:
        self._workspace = workspace

    def add(self, token: AccessToken) -> None:
        row = item(
            keys.access_tokens(token.user),
            keys.access_token(token.id),
            token=text(values.dump(replace(token, last_used=None))),
            expires_at=number(ceil(token.expires_at.timestamp())),
        )
        try:
            self._workspace.write(Put(row, ABSENT))
        except Refused:
            return  # its id is random: it is this token, whose answer was lost

    def get(self, user: UserId, token_id: str) -> AccessToken | None:
        found = self._workspace.get(keys.access_tokens(user), keys.access_token(token_id))
        return None if found is None else _to_token(found)

    def of(self, user: UserId) -> Sequence[AccessToken]:
        found = self._workspace.items(Query(partition=keys.access_tokens(user)))
        return sorted(map(_to_token, found), key=lambda token: (token.created_at, token.id))

    def used(self, user: UserId, token_id: str, day: date) -> None:
        """The day has an attribute of its own: nothing else of a token ever changes."""
        today = text(day.isoformat())
        earlier = Path("used").does_not_exist() | (Path("used") < today)
        pk, sk = keys.access_tokens(user), keys.access_token(token_id)
        try:
            self._workspace.write(Update(pk, sk, assign(used=today), PRESENT & earlier))
        except Refused:
            return  # revoked, or somebody else was first

    def revoke(self, user: UserId, token_id: str) -> None:
        self._workspace.write(Delete(keys.access_tokens(user), keys.access_token(token_id)))


def _to_token(found: Item) -> AccessToken:
    used = found["used"]["S"] if "used" in found else None
    return replace(values.load(AccessToken, found["token"]["S"]), last_used=used)
