"""When the participants' inboxes have to hear of a session, whatever it was that changed it."""

from shared.domain.session.decision import UpdateInboxes
from shared.domain.session.state import Session, SessionStatus


def work(before: Session, after: Session) -> tuple[UpdateInboxes, ...]:
    """A turn has finished, or the session went into the archive or came back."""
    return () if _shown(before) == _shown(after) else (UpdateInboxes(),)


def _shown(session: Session) -> tuple[int | None, bool]:
    return session.finished, session.status is SessionStatus.ARCHIVED
