"""The inbox and the people of a session, and the repositories that are remembered, as JSON."""

from datetime import datetime

from pydantic import Field

from shared.protocol.api import SessionView
from shared.protocol.base import MAX_PROMPT, Strict


class InboxRow(Strict):
    session: SessionView
    unread: bool


class Inbox(Strict):
    """Each session is in one of the lists; newest first."""

    needs_attention: list[InboxRow]
    """A turn has finished that the asking user, being owner or participant, has not read."""
    in_progress: list[InboxRow]
    recent: list[InboxRow]
    more: bool
    """More need attention than are listed here."""


class ReadMark(Strict):
    """Everything that has finished up to this prompt is read."""

    prompt: int = Field(ge=0, le=MAX_PROMPT)


class ParticipantView(Strict):
    user: str
    display_name: str
    prompts: int
    last_seen_at: datetime | None


class ParticipantList(Strict):
    """The owner first."""

    participants: list[ParticipantView]


class RememberedRepository(Strict):
    url: str
    name: str
    label: str
    branch: str | None
    used_at: datetime
    """When somebody last asked for something in it; else, when it was registered."""


class RepositoryList(Strict):
    """Newest first."""

    repositories: list[RememberedRepository]
