"""What a person lets us do in their name at a code host."""

from typing import Protocol

from shared.domain.session.state import UserId


class UserTokens(Protocol):
    def token(self, user: UserId, kind: str) -> str | None:
        """A token that is good for the next minute at least, refreshed when it has to be.

        `kind` is the host's (`github`). None: this person has never signed in there, or has taken
        it back. Raises `Unavailable` when a refresh was not answered.
        """
        ...
