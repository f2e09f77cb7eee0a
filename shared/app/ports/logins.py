"""What lets a browser in: a code that works once, and the login that its cookie stands for.

Both are kept under the hash of a random secret: whoever reads the table can't use what is there.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.domain.session.state import UserId


@dataclass(frozen=True, slots=True)
class Code:
    """Begins one login of one user, once."""

    user: UserId
    epoch: int
    """The user's, when it was asked for."""
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Login:
    user: UserId
    epoch: int
    began_at: datetime
    renewed_at: datetime
    expires_at: datetime


class Logins(Protocol):
    def offer(self, code_hash: str, code: Code) -> None:
        """The hash is of a random secret: the same one again is the same code."""
        ...

    def peek(self, code_hash: str) -> Code | None:
        """What it is for, expired or not; None: unknown or used."""
        ...

    def begin(self, login_hash: str, login: Login, *, code_hash: str) -> None:
        """Uses the code up in the same transaction: one code is one login, whoever races for it.

        Raises `Unauthenticated` when the code is used, another user's, or expired when it begins.
        """
        ...

    def get(self, login_hash: str) -> Login | None:
        """Expired or not."""
        ...

    def renew(self, login_hash: str, before: Login, after: Login) -> bool:
        """Whether it was still as before. One that has ended does not come back."""
        ...

    def end(self, login_hash: str) -> None: ...
