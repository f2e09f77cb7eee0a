"""What belongs to no single session: people and their tokens, tickets, secrets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from shared.domain.access import Scope
from shared.domain.session.state import SessionId, UserId

type Role = Literal["owner", "member"]


@dataclass(frozen=True, slots=True)
class Account:
    """At a provider that somebody signs in by way of. `login` is as it was the last time."""

    provider: str
    id: str
    login: str

    def is_same(self, other: "Account") -> bool:
        return (self.provider, self.id) == (other.provider, other.id)


@dataclass(frozen=True, slots=True)
class User:
    id: UserId
    name: str
    role: Role
    created_at: datetime
    display_name: str = ""
    """Empty: nobody has chosen one."""
    email: str | None = None
    epoch: int = 0
    """How often everybody was signed out: what signed in with an older one is so."""
    account: Account | None = None

    @property
    def shown_name(self) -> str:
        return self.display_name or self.name


@dataclass(frozen=True, slots=True)
class Ticket:
    """Admits one socket of one user to one session, once."""

    session_id: SessionId
    user: UserId
    user_name: str
    expires_at: datetime
    scope: Scope = "write"
    """What may be done over it."""
    login: str | None = None
    """The hash of the browser's login that asked for it."""
    epoch: int | None = None
    """The user's, when it was asked for."""


class Users(Protocol):
    def by_token(self, token_hash: str) -> User | None: ...

    def add(self, user: User, token_hash: str) -> None:
        """Raises `Conflict` when the name is taken, by another token than this."""
        ...

    def get(self, user_id: UserId) -> User | None: ...

    def sign_out(self, user_id: UserId) -> User:
        """The next epoch, with the same token. Raises `NotFound`, `Contended`."""
        ...

    def renew(self, user_id: UserId, token_hash: str) -> User:
        """A new token and the next epoch for a user. Raises `NotFound`, `Contended`."""
        ...

    def describe(self, before: User, after: User) -> None:
        """Another name or address to show. Raises `Contended` when it is not as before."""
        ...

    def all(self) -> Sequence[User]: ...


class Tickets(Protocol):
    """Issuing; using one up is the connections' business, in the transaction that joins."""

    def issue(self, ticket_hash: str, ticket: Ticket) -> None:
        """The hash is of a random secret: the same one again is the same ticket."""
        ...

    def peek(self, ticket_hash: str) -> Ticket | None:
        """What it admits to, expired or not; None: unknown or used."""
        ...


class Secrets(Protocol):
    def all(self) -> Mapping[str, str]:
        """The deployment's secrets by name, read anew at each launch. Raises `Unavailable`."""
        ...
