"""The inactivity schedule only pokes: what is due stands in the session."""

from dataclasses import dataclass

from shared.app.sessions import Sessions
from shared.app.viewers import Viewers
from shared.domain.session.commands import Poke
from shared.domain.session.state import SessionId


@dataclass(frozen=True, slots=True)
class Idleness:
    sessions: Sessions
    viewers: Viewers

    def poke(self, session_id: SessionId, attempt: int) -> None:
        """Early, late and double pokes change nothing that they should not."""
        watched = self.viewers.watched(session_id)
        self.sessions.handle(session_id, Poke(attempt, watched))
