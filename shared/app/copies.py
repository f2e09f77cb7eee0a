"""What the copies of sessions' files are called at the provider, and read back from that."""

from shared.domain.session.state import Session


def copies_of(deployment: str) -> str:
    """How the names of all its copies begin."""
    return f"outboard-{deployment.lower()}-"


def copy_name(deployment: str, session: Session, attempt: int) -> str:
    """One for each turn whose files are kept."""
    return f"{copies_of(deployment)}{session.id}-{attempt}-{session.workspace.turn}"


def made_in(deployment: str, name: str) -> tuple[str, int]:
    """The session and the attempt of a copy."""
    rest = name.removeprefix(copies_of(deployment))
    session_id, _, numbers = rest.partition("-")
    return session_id, number(numbers.partition("-")[0])


def number(text: str) -> int:
    """Zero for what is no number of ours."""
    return int(text) if text.isascii() and text.isdecimal() else 0
