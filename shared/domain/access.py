"""How much of what its user may do a token may do: three scopes, each with all that is before it.

A scope narrows: whatever a token's scope is, nobody does by token what they may not do at all.
"""

from datetime import timedelta
from typing import Literal

from shared.domain.errors import Forbidden

type Scope = Literal["read", "write", "admin"]

type Subject = Literal["work", "people", "settings", "secrets", "tokens"]
"""What an action is about. `work`: sessions and what is in them. `tokens`: all that lets in."""

SCOPES: tuple[Scope, ...] = ("read", "write", "admin")

SHORTEST_LIFE = timedelta(days=1)
LONGEST_LIFE = timedelta(days=365)


def needed(subject: Subject, *, changes: bool) -> Scope:
    """Who is there and what is set everybody may know; which secrets and tokens there are, not."""
    match subject:
        case "work":
            return "write" if changes else "read"
        case "people" | "settings":
            return "admin" if changes else "read"
        case "secrets" | "tokens":
            return "admin"


def covers(held: Scope, need: Scope) -> bool:
    return SCOPES.index(held) >= SCOPES.index(need)


def check(held: Scope, need: Scope) -> None:
    """Raises `Forbidden`."""
    if not covers(held, need):
        raise Forbidden(f"this needs the scope {need!r}, and this token has {held!r}")
