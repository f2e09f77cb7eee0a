"""Inboxes, participants and remembered repositories as wire messages."""

from collections.abc import Iterable

from shared.app import views
from shared.app.inboxes import Inbox, Row
from shared.app.ports.repositories import Remembered
from shared.app.ports.workspace import User
from shared.domain.inbox import Category, Member
from shared.protocol import inbox as wire


def of_inbox(inbox: Inbox) -> wire.Inbox:
    rows = {category: [of_row(row) for row in found] for category, found in inbox.rows.items()}
    return wire.Inbox(
        needs_attention=rows[Category.NEEDS_ATTENTION],
        in_progress=rows[Category.IN_PROGRESS],
        recent=rows[Category.RECENT],
        more=inbox.more,
    )


def of_row(row: Row) -> wire.InboxRow:
    return wire.InboxRow(session=views.of_session(row.session), unread=row.unread)


def of_participants(members: Iterable[Member], users: Iterable[User]) -> wire.ParticipantList:
    names = {user.id: user.shown_name for user in users}
    return wire.ParticipantList(
        participants=[
            wire.ParticipantView(
                user=member.user,
                display_name=names.get(member.user, member.user),
                prompts=member.prompts,
                last_seen_at=member.seen_at,
            )
            for member in members
        ]
    )


def of_repositories(known: Iterable[Remembered]) -> wire.RepositoryList:
    return wire.RepositoryList(repositories=[of_repository(one) for one in known])


def of_repository(known: Remembered) -> wire.RememberedRepository:
    repository = known.repository
    return wire.RememberedRepository(
        url=repository.url,
        name=repository.name,
        label=repository.label or repository.url,
        branch=repository.branch,
        used_at=known.used_at,
    )
