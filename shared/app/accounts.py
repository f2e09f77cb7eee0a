"""People and their first tokens, which have no end. `newcomers` is another way to a `User`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.app import tokens
from shared.app.ports.workspace import User, Users
from shared.domain.errors import Conflict, Forbidden, Unauthenticated
from shared.domain.session.state import UserId


@dataclass(frozen=True, slots=True)
class Accounts:
    users: Users
    clock: Callable[[], datetime]

    def authenticate(self, authorization: str | None) -> User:
        """Raises `Unauthenticated` for anything but `Bearer <token of a user>`."""
        token = tokens.bearer(authorization)
        user = self.users.by_token(tokens.digest(token)) if token else None
        if user is None:
            raise Unauthenticated("this needs the bearer token of a user")
        return user

    def add(self, by: User, name: str) -> tuple[User, str]:
        only_owner(by)
        return self._add(User(UserId(name), name, "member", self.clock()))

    def ensure_owner(self, name: str) -> tuple[User, str | None]:
        """The first user of a deployment, made by its operator; None when there is one already."""
        for user in self.users.all():
            if user.role == "owner":
                return user, None
        try:
            return self._add(User(UserId(name), name, "owner", self.clock()))
        except Conflict:
            return next(user for user in self.users.all() if user.id == name), None

    def _add(self, user: User) -> tuple[User, str]:
        token = tokens.new_user_token()
        self.users.add(user, tokens.digest(token))
        return user, token

    def renew(self, by: User, name: str) -> tuple[User, str]:
        """A new token: for oneself, or by the owner for anybody.

        The old one is dead, and so are this user's browsers that it has signed in.
        """
        if by.name != name:
            only_owner(by)
        return self.renew_as_operator(name)

    def renew_as_operator(self, name: str) -> tuple[User, str]:
        token = tokens.new_user_token()
        return self.users.renew(UserId(name), tokens.digest(token)), token

    def describe(self, before: User, after: User) -> User:
        """Another name or address to show. Raises `Contended`."""
        if after != before:
            self.users.describe(before, after)
        return after

    def all(self) -> Sequence[User]:
        return self.users.all()


def only_owner(user: User) -> None:
    """Raises `Forbidden`."""
    if user.role != "owner":
        raise Forbidden("only the owner of this deployment may do that")
