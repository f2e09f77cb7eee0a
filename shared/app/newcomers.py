"""The user that an account at a provider is here, made when it comes for the first time.

The account's id decides. Its login is only what a new user is called by, if that name is free: who
has the name already is somebody else, however alike they look.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from shared.app import tokens
from shared.app.ports.identities import Identities
from shared.app.ports.identity_providers import Person
from shared.app.ports.workspace import Account, User, Users
from shared.domain.errors import Conflict, NotFound
from shared.domain.session.state import UserId

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,38}")
_SHOWN_CHARS = 100


@dataclass(frozen=True, slots=True)
class Newcomers:
    users: Users
    identities: Identities
    clock: Callable[[], datetime]

    def user(self, provider: str, person: Person) -> User:
        """Safe to repeat, and for two browsers at once. Raises `Contended`, `Unavailable`."""
        account = Account(provider, person.id, person.login)
        known = self.identities.user_of(provider, person.id)
        if known is None:
            made = self._made(account, person)
            known = self.identities.link(provider, person.id, made.id)
        return self._as_called_now(known, account)

    def _as_called_now(self, user_id: UserId, account: Account) -> User:
        user = self.users.get(user_id)
        if user is None:
            raise NotFound("the user that this account was is not there any more")
        if user.account == account:
            return user
        renamed = replace(user, account=account)
        self.users.describe(user, renamed)
        return renamed

    def _made(self, account: Account, person: Person) -> User:
        """One that was made for this account before, and not linked any more, is found again."""
        for name in _names(account):
            user = User(
                UserId(name),
                name,
                "member",
                self.clock(),
                display_name=_shown(person.name),
                account=account,
            )
            try:
                self.users.add(user, tokens.digest(tokens.new_user_token()))
            except Conflict:
                there = self.users.get(user.id)
                if there is None or there.account is None or not there.account.is_same(account):
                    continue
                return there
            return user
        raise Conflict(f"no name is left for {account.login!r}")


def _names(account: Account) -> Iterator[str]:
    login = account.login.lower()
    tail = f"-{account.id}"
    for name in (login, f"{login[: 39 - len(tail)]}{tail}", f"{account.provider}{tail}"):
        if _NAME.fullmatch(name):
            yield name


def _shown(name: str) -> str:
    """As git can carry it."""
    return re.sub(r"[<>\x00-\x1f\x7f]", " ", name).strip()[:_SHOWN_CHARS]
