"""Accounts at providers that people who are here already connect, to act there as themselves.

It is no sign-in: who is admitted is not asked, for whoever connects is signed in. Both ends of the
way need the same login, so nobody connects an account of theirs to somebody else's user.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from shared.app.ports.grants import Grants
from shared.app.ports.identities import Identities
from shared.app.ports.identity_providers import IdentityProvider, Person
from shared.app.ports.workspace import Account, User, Users
from shared.app.provider_sign_ins import Departure, asked, depart
from shared.app.user_tokens import KeptTokens
from shared.app.ways_out import Way
from shared.domain.errors import Conflict, Rejected, Unauthenticated

type Tokens = Literal["kept", "ended", "none"]
"""What we can do there in this person's name: `ended`, no more until they connect again."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Connected:
    account: Account
    tokens: Tokens


@dataclass(frozen=True, slots=True)
class Returned:
    """What a browser is back with."""

    state: str
    code: str
    verifier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectedAccounts:
    providers: Mapping[str, IdentityProvider]
    identities: Identities
    users: Users
    grants: Grants
    user_tokens: KeptTokens
    clock: Callable[[], datetime]

    def of(self, user: User) -> Sequence[Connected]:
        """One at most, today."""
        if user.account is None:
            return ()
        kept = self.grants.get(user.id, user.account.provider)
        state: Tokens = "none" if kept is None else "kept" if kept.ended is None else "ended"
        return (Connected(user.account, state),)

    def start(self, login: str, provider: str, back: str) -> Departure:
        """`login`: the hash of the one that asks. Raises `NotFound`."""
        return depart(asked(self.providers, provider), Way(provider, login), back, self.clock())

    def finish(
        self, user: User, login: str, provider: str, came: Returned, back: str
    ) -> Sequence[Connected]:
        """Safe to repeat but for the code, which is good once.

        Raises `NotFound`, `Rejected` when it is not this login's way or too late, `Conflict` when
        the account is somebody else's or this user has another, `Contended`, `Unavailable`.
        """
        there = asked(self.providers, provider)
        if not Way(provider, login).leads_back(came.verifier, came.state, self.clock()):
            raise Rejected("this was begun elsewhere, or is older than ten minutes: begin again")
        try:
            grant = there.exchange(came.code, verifier=came.verifier, back=back)
            person = there.person(grant, ())
        except Unauthenticated as error:
            # nobody's login with us is over: only the way to there was in vain
            raise Rejected(str(error)) from error
        connected = self._connect(user, provider, person)
        self.user_tokens.keep(user.id, provider, grant)
        logger.info("account_connected", extra={"user": user.id, "provider": provider})
        return self.of(connected)

    def _connect(self, user: User, provider: str, person: Person) -> User:
        account = Account(provider, person.id, person.login)
        if user.account is not None and not user.account.is_same(account):
            raise Conflict(f"you are connected as {user.account.login!r}: disconnect that first")
        if self.identities.link(provider, person.id, user.id) != user.id:
            raise Conflict(
                f"{person.login!r} is another user's account here: who signs in with it can"
                " disconnect it there"
            )
        return self._described(user, account)

    def disconnect(self, user: User, provider: str) -> User:
        """What lets us act there is forgotten first. Safe to repeat. Raises `Contended`."""
        self.grants.forget(user.id, provider)
        if user.account is None or user.account.provider != provider:
            return user
        self.identities.unlink(provider, user.account.id, user.id)
        logger.info("account_disconnected", extra={"user": user.id, "provider": provider})
        return self._described(user, None)

    def _described(self, user: User, account: Account | None) -> User:
        after = replace(user, account=account)
        if after != user:
            self.users.describe(user, after)
        return after
