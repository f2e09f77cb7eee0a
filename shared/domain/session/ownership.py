"""Whose a sandbox is: decides by the provider's id what becomes of one that the provider has."""

from datetime import datetime, timedelta
from enum import StrEnum

from shared.domain.session.sandbox import ProviderId
from shared.domain.session.state import Session

ORPHANED = timedelta(minutes=15)
"""Named by nobody for so long, it is not on its way to be named any more."""


class Fate(StrEnum):
    KEEP = "keep"
    PAUSE = "pause"
    KILL = "kill"


def fate_of(
    session: Session | None,
    provider_id: ProviderId,
    attempt: int,
    *,
    started_at: datetime,
    now: datetime,
) -> Fate:
    """Of a sandbox that was made for that attempt of that session; None: there is no session.

    Named by the session's files or by the living attempt, it is never killed.
    """
    if session is not None and _belongs(session, provider_id, attempt):
        return Fate.KEEP if session.attempt is not None else Fate.PAUSE
    return Fate.KILL if now - started_at > ORPHANED else Fate.KEEP


def _belongs(session: Session, provider_id: ProviderId, attempt: int) -> bool:
    living = session.attempt
    made_for_it = living is not None and living.number == attempt
    runs_in_it = living is not None and living.provider_id == provider_id
    return made_for_it or runs_in_it or session.workspace.provider_id == provider_id


def needs_copy(session: Session | None, snapshot: str, attempt: int) -> bool:
    """Whether a copy of the files, made in that attempt, is the session's or may become so.

    A sandbox that was made from a copy may need it for as long as it exists.
    """
    if session is None:
        return False
    copy = session.workspace.snapshot
    named = {session.workspace.base, copy.id if copy else None}
    return snapshot in named or session.current(attempt) is not None
