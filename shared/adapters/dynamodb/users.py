"""Users and the hashes of their tokens. A token's own item answers the one read of a request."""

from collections.abc import Sequence
from dataclasses import replace

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.keys import SK, USERS
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.writes import (
    ABSENT,
    PRESENT,
    Attribute,
    Delete,
    Item,
    Put,
    Update,
    assign,
    equals,
    item,
    text,
)
from shared.app.ports.workspace import User
from shared.domain.errors import Conflict, Contended, NotFound
from shared.domain.session.state import UserId


class DynamoUsers:
    def __init__(self, workspace: Table) -> None:
        self._workspace = workspace

    def by_token(self, token_hash: str) -> User | None:
        found = self._workspace.get(keys.token(token_hash), keys.TOKEN)
        return None if found is None else _to_user(found)

    def add(self, user: User, token_hash: str) -> None:
        step = self._workspace.step
        steps = (
            step("user", _row(USERS, keys.user(user.id), user, token_hash)),
            step("name", Put(item(USERS, keys.user_name(user.name)), ABSENT)),
            step("token", _row(keys.token(token_hash), keys.TOKEN, user)),
        )
        refusals = self._workspace.database.transact(steps)
        there = refusals.get("user")
        if there is not None and there["token"] == text(token_hash):
            return  # this very call, whose answer was lost
        if refusals:
            raise Conflict(f"there is a user {user.name!r} already")

    def renew(self, user_id: UserId, token_hash: str) -> User:
        found = self._workspace.get(USERS, keys.user(user_id))
        if found is None:
            raise NotFound(f"no user {user_id!r}")
        known = _to_user(found)
        user, old = replace(known, epoch=known.epoch + 1), found["token"]
        step = self._workspace.step
        steps = (
            step("user", _update(user, found, token=text(token_hash))),
            step("old", Delete(keys.token(old["S"]), keys.TOKEN)),
            step("new", _row(keys.token(token_hash), keys.TOKEN, user)),
        )
        if self._workspace.database.transact(steps):
            raise Contended(f"the token of {user.name!r} is being renewed by somebody else")
        return user

    def sign_out(self, user_id: UserId) -> User:
        found = self._workspace.get(USERS, keys.user(user_id))
        if found is None:
            raise NotFound(f"no user {user_id!r}")
        known = _to_user(found)
        user = replace(known, epoch=known.epoch + 1)
        self._change(user, found)
        return user

    def get(self, user_id: UserId) -> User | None:
        found = self._workspace.get(USERS, keys.user(user_id))
        return None if found is None else _to_user(found)

    def describe(self, before: User, after: User) -> None:
        found = self._workspace.get(USERS, keys.user(before.id))
        if found is None or _to_user(found) not in (before, after):
            raise Contended(f"what is known of {before.name!r} is being changed by somebody else")
        self._change(after, found)

    def _change(self, after: User, found: Item) -> None:
        """Of both rows, as long as they are as they were found. Raises `Contended`."""
        token = keys.token(found["token"]["S"])
        of_token = Update(token, keys.TOKEN, assign(user=text(values.dump(after))), PRESENT)
        step = self._workspace.step
        steps = (step("user", _update(after, found)), step("token", of_token))
        if self._workspace.database.transact(steps):
            raise Contended(f"what is known of {after.name!r} is being changed by somebody else")

    def all(self) -> Sequence[User]:
        where = Path(SK).startswith(keys.user(""))
        found = self._workspace.items(Query(partition=USERS, where=where))
        return [_to_user(row) for row in found]


def _row(pk: str, sk: str, user: User, token_hash: str | None = None) -> Put:
    token = None if token_hash is None else text(token_hash)
    return Put(item(pk, sk, user=text(values.dump(user)), token=token), ABSENT)


def _update(user: User, found: Item, *, token: Attribute | None = None) -> Update:
    """Of the row that was found, as long as it is as it was found."""
    unchanged = equals("token", found["token"]) & equals("user", found["user"])
    change = assign(user=text(values.dump(user)), token=token or found["token"])
    return Update(USERS, keys.user(user.id), change, unchanged)


def _to_user(found: Item) -> User:
    return values.load(User, found["user"]["S"])
