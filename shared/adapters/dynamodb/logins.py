"""Codes and logins of browsers, each an item under its hash, gone by itself when it is over."""

from datetime import datetime
from math import ceil

from pynamodb.expressions.operand import Path

from shared.adapters.dynamodb import keys, values
from shared.adapters.dynamodb.failures import Refused
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.writes import (
    ABSENT,
    Attribute,
    Delete,
    Item,
    Put,
    Update,
    assign,
    equals,
    item,
    number,
    text,
)
from shared.app.ports.logins import Code, Login
from shared.domain.errors import Unauthenticated


class DynamoLogins:
    def __init__(self, workspace: Table) -> None:
        self._workspace = workspace

    def offer(self, code_hash: str, code: Code) -> None:
        row = item(
            keys.code(code_hash),
            keys.CODE,
            code=text(values.dump(code)),
            user=text(code.user),
            valid_until=text(keys.instant(code.expires_at)),
            expires_at=_after(code.expires_at),
        )
        try:
            self._workspace.write(Put(row, ABSENT))
        except Refused:
            return  # the hash is of a random secret: it is this code, whose answer was lost

    def peek(self, code_hash: str) -> Code | None:
        found = self._workspace.get(keys.code(code_hash), keys.CODE)
        return None if found is None else values.load(Code, found["code"]["S"])

    def begin(self, login_hash: str, login: Login, *, code_hash: str) -> None:
        """Who deletes the code has used it."""
        admits = equals("user", text(login.user)) & (
            Path("valid_until") > text(keys.instant(login.began_at))
        )
        step = self._workspace.step
        steps = (
            step("code", Delete(keys.code(code_hash), keys.CODE, admits)),
            step("login", Put(_row(login_hash, login), ABSENT)),
        )
        if self._workspace.database.transact(steps):
            raise Unauthenticated("this code is used or expired")

    def get(self, login_hash: str) -> Login | None:
        found = self._workspace.get(keys.login(login_hash), keys.LOGIN)
        return None if found is None else values.load(Login, found["login"]["S"])

    def renew(self, login_hash: str, before: Login, after: Login) -> bool:
        change = assign(login=text(values.dump(after)), expires_at=_after(after.expires_at))
        unchanged = equals("login", text(values.dump(before)))
        try:
            self._workspace.write(Update(keys.login(login_hash), keys.LOGIN, change, unchanged))
        except Refused as refused:
            # This very call, whose answer was lost, has found its own write there.
            return refused.item is not None and refused.item["login"] == text(values.dump(after))
        return True

    def end(self, login_hash: str) -> None:
        self._workspace.write(Delete(keys.login(login_hash), keys.LOGIN))


def _row(login_hash: str, login: Login) -> Item:
    return item(
        keys.login(login_hash),
        keys.LOGIN,
        login=text(values.dump(login)),
        expires_at=_after(login.expires_at),
    )


def _after(moment: datetime) -> Attribute:
    return number(ceil(moment.timestamp()))
