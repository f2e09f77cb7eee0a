"""What belongs to no single session: people and their tokens, tickets, secrets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from shared.domain.session.state import SessionId, UserId

type Role = Literal["owner", "member"]


@dataclass(frozen=True, slots=True)
class User:
    id: UserId
    name: str
    role: Role
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Ticket:
    """Admits one socket of one user to one session, once."""

    session_id: SessionId
    user: UserId
    user_name: str
    expires_at: datetime


class Users(Protocol):
    def by_token(self, token_hash: str) -> User | None: ...

    def add(self, user: User, token_hash: str) -> None:
        """Raises `Conflict` when the name is taken, by another token than this."""
        ...

    def renew(self, user_id: UserId, token_hash: str) -> User:
        """A new token for a user; the old one is dead. Raises `NotFound`, `Contended`."""
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
