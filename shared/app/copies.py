"""What the copies of sessions' files are called at the provider, and read back from that."""

import re

from shared.domain.session.sandbox import Attempt, Ending
from shared.domain.session.state import Session

_OURS = re.compile(r"([a-z0-9]+)-(\d+)-\d+(-\d+)?(-cut-off)?", re.ASCII)
"""Session, attempt, turn, and which of the attempt's copies it is.

The name of another deployment may begin as ours does.
"""


def copies_of(deployment: str) -> str:
    """How the names of all its copies begin."""
    return f"outboard-{deployment.lower()}-"


def copy_name(deployment: str, session: Session, attempt: Attempt) -> str:
    """One for each copy that is begun, however often it is tried, and another for a turn that was
    cut off after it: the copy of whole turns stays until there is that one.
    """
    turn, copy = session.workspace.turn, attempt.saves
    name = f"{copies_of(deployment)}{session.id}-{attempt.number}-{turn}-{copy}"
    return f"{name}-cut-off" if may_be_cut_off(session, attempt) else name


def may_be_cut_off(session: Session, attempt: Attempt) -> bool:
    """A turn of which nobody has said how it ended may have left files all the same."""
    return session.prompts > 0 and attempt.ending in {Ending.STALE, Ending.LIFETIME}


def made_in(deployment: str, name: str) -> tuple[str, int] | None:
    """The session and the attempt of a copy; None: it is not one of ours."""
    found = _OURS.fullmatch(name.removeprefix(copies_of(deployment)))
    return (found[1], int(found[2])) if found else None


def number(text: str) -> int:
    """Zero for what is no number of ours."""
    return int(text) if text.isascii() and text.isdecimal() else 0
