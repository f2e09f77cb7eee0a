"""The newest comparison of a session's files with where it began."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.domain.session.state import SessionId


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """`revision` names its objects; None: none has been handed in. `digest`: of what is shown.

    `error`: why the one after it failed.
    """

    attempt: int
    prompt: int = 0
    revision: str | None = None
    digest: str = ""
    compared_at: datetime | None = None
    error: str | None = None


class ChangesStore(Protocol):
    def load(self, session_id: SessionId) -> Compared | None:
        """Consistent."""
        ...

    def put(self, session_id: SessionId, compared: Compared, *, after: str | None) -> None:
        """In place of the one with that revision, or of none; with the same it is told anew.

        Raises `Conflict` when another is there, or one of a later attempt.
        """
        ...
