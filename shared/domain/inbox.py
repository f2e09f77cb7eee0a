"""Whom a session waits for: what each participant has read, and where it is in their inbox."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from shared.domain.listing import Shelf, shelf
from shared.domain.session.state import Session, SessionStatus, UserId


class Category(StrEnum):
    """Of the sessions in somebody's inbox: each is in exactly one."""

    NEEDS_ATTENTION = "needs_attention"
    IN_PROGRESS = "in_progress"
    RECENT = "recent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A participant: the owner, and whoever asked for something or has opened the session."""

    user: UserId
    read: int = 0
    """Every turn that has finished up to this prompt is read. Never goes back."""
    filed: int = 0
    """The version of the session by which `unread` was decided."""
    unread: bool = False
    """In the list by which their inbox finds a session, however old it is."""
    prompts: int = 0
    """How many are theirs."""
    seen_at: datetime | None = None


def joining(session: Session, user: UserId) -> Member:
    """What finished before somebody came is no news to them; the owner was there from the start."""
    return Member(user=user, read=0 if user == session.owner else session.finished or 0)


def membership(session: Session, user: UserId, known: Member | None) -> Member | None:
    """An owner is a participant before anything was written down about it."""
    if known is None and user == session.owner:
        return joining(session, user)
    return known


def is_unread(session: Session, member: Member) -> bool:
    return (session.finished or 0) > member.read


def category(session: Session, member: Member | None) -> Category | None:
    """None: it is in nobody's inbox."""
    match shelf(session):
        case None | Shelf.ARCHIVED:
            return None
        case _ if member is not None and is_unread(session, member):
            return Category.NEEDS_ATTENTION
        case Shelf.ACTIVE:
            return Category.IN_PROGRESS
        case Shelf.OPEN:
            return Category.RECENT


def filed(member: Member, session: Session) -> Member:
    """The list of the unread as this session has it; what a later version said stays."""
    return member if session.version <= member.filed else _in_line(member, session)


def reading(member: Member, session: Session, prompt: int, now: datetime) -> Member:
    """`session` is no older than the version by which the member was filed."""
    read = max(member.read, min(prompt, session.finished or 0))
    return _in_line(replace(member, read=read, seen_at=now), session)


def _in_line(member: Member, session: Session) -> Member:
    listed = is_unread(session, member) and session.status is not SessionStatus.ARCHIVED
    return replace(member, filed=session.version, unread=listed)
