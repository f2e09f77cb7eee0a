"""The participants of sessions, and the lists by which their inboxes are found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from shared.domain.inbox import Member
from shared.domain.session.state import Session, SessionId, UserId


class MemberChanged(Exception):
    """Somebody else has written to this participant first: read it and decide anew."""


@dataclass(frozen=True, slots=True)
class Found:
    sessions: Sequence[tuple[Session, Member | None]]
    """Each once, in any order."""
    more: bool
    """Not all of the unread ones are in it."""


class Members(Protocol):
    """Whoever queues a prompt is made a participant by its commit, which also counts the prompt."""

    def get(self, session_id: SessionId, user: UserId) -> Member | None:
        """Consistent."""
        ...

    def of_session(self, session_id: SessionId) -> Sequence[Member]:
        """Consistent, sorted by user. The owner is in it only once something was written of it."""
        ...

    def put(self, session: Session, before: Member | None, after: Member) -> None:
        """All but the count of prompts, which is the commits'. Raises `MemberChanged`."""
        ...

    def inbox(self, user: UserId, *, newest: int, most: int, owner: UserId | None) -> Found:
        """The sessions that may be in somebody's inbox; eventually consistent.

        Those with something unread and those that are active, `most` of each, and the `newest` of
        the other open ones; only those of `owner`, if one is given.
        """
        ...
