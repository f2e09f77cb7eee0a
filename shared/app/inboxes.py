"""People's inboxes: what waits for whom, and what they have read.

What is unread is decided by a session and its participant, both read when somebody looks. The list
of the unread only makes sure that an old session is looked at, so all it has to be is complete: it
is updated by an effect of each commit that is news, and by whoever reads.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.app.ports.members import MemberChanged, Members
from shared.app.ports.sessions import SessionStore
from shared.domain.errors import Contended
from shared.domain.inbox import (
    Category,
    Member,
    category,
    filed,
    is_unread,
    joining,
    membership,
    reading,
)
from shared.domain.session.state import Session, SessionId, UserId

MOST_WAITING = 200
"""Of the unread and of the active sessions, in one answer."""
MAX_TRIES = 12


@dataclass(frozen=True, slots=True)
class Row:
    session: Session
    unread: bool


@dataclass(frozen=True, slots=True)
class Inbox:
    rows: dict[Category, list[Row]]
    """Newest first."""
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Inboxes:
    store: SessionStore
    members: Members
    clock: Callable[[], datetime]

    def of(self, user: UserId, *, limit: int, mine: bool) -> Inbox:
        """`limit` is for the recent ones."""
        owner = user if mine else None
        found = self.members.inbox(user, newest=limit, most=MOST_WAITING, owner=owner)
        rows: dict[Category, list[Row]] = {each: [] for each in Category}
        for session, known in sorted(found.sessions, key=_recency, reverse=True):
            member = membership(session, user, known)
            if (place := category(session, member)) is not None:
                rows[place].append(Row(session, place is Category.NEEDS_ATTENTION))
        return Inbox(rows, found.more)

    def read(self, session_id: SessionId, user: UserId, prompt: int) -> Row:
        """Everything up to this prompt; who reads is a participant. Raises `NotFound`."""
        now = self.clock()
        session, member = self._change(
            session_id, user, lambda member, session: reading(member, session, prompt, now)
        )
        return Row(session, is_unread(session, member))

    def update(self, session_id: SessionId) -> None:
        """Safe to repeat, late or in another order: a later version of the session is kept."""
        owner = self.store.load(session_id).owner
        members = [member.user for member in self.members.of_session(session_id)]
        for user in dict.fromkeys([owner, *members]):
            self._change(session_id, user, filed)

    def participants(self, session_id: SessionId) -> Sequence[Member]:
        """The owner first. Raises `NotFound`."""
        session = self.store.load(session_id)
        known = {member.user: member for member in self.members.of_session(session_id)}
        owner = known.pop(session.owner, joining(session, session.owner))
        return [owner, *known.values()]

    def _change(
        self, session_id: SessionId, user: UserId, change: Callable[[Member, Session], Member]
    ) -> tuple[Session, Member]:
        for _ in range(MAX_TRIES):
            before = self.members.get(session_id, user)
            # After the member, and so no older than what the member was filed by.
            session = self.store.load(session_id)
            after = change(before or joining(session, user), session)
            if after == before:
                return session, after
            try:
                self.members.put(session, before, after)
            except MemberChanged:
                continue
            if before is not None:
                return session, after
            # What has finished since the session was loaded may not have known this participant.
        raise Contended(f"the participants of session {session_id!r} have too many writers")


def _recency(found: tuple[Session, Member | None]) -> tuple[datetime, str]:
    session, _ = found
    return session.updated_at, session.id
