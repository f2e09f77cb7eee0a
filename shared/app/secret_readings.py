"""What a pasted `.env` file would set, line by line, before anything of it is kept."""

from collections.abc import Sequence
from typing import Final

from shared.app import dotenv
from shared.app.dotenv import Line
from shared.app.ports.vault import Contents
from shared.app.ports.workspace import User
from shared.app.secret_store import SecretStore
from shared.domain import secrets
from shared.domain.errors import Invalid
from shared.domain.secrets import Scope
from shared.protocol.secrets import SecretLine, SecretReading

MOST_LINES: Final = 200
"""As many are told of; no scope has room for more."""


def reading(store: SecretStore, by: User, scope: Scope, text: str) -> SecretReading:
    """Raises `Forbidden`; what is wrong with the text is the answer."""
    there = store.to_change(by, scope)
    try:
        lines = list(dotenv.lines(text))
    except Invalid as error:
        return SecretReading(lines=[], problem=error.problem)
    return SecretReading(
        lines=[_shown(line, there) for line in lines[:MOST_LINES]],
        problem=_problem(lines, there),
    )


def _shown(line: Line, there: Contents) -> SecretLine:
    return SecretLine(
        line=line.number,
        name=line.name,
        replaces=line.name in there.names and line.problem is None,
        problem=line.problem,
    )


def _problem(lines: Sequence[Line], there: Contents) -> str | None:
    """Of all together. Those that are refused themselves take no room."""
    if not lines:
        return dotenv.NOTHING
    if len(lines) > MOST_LINES:
        return f"there are {len(lines)} of them, and these are the first {MOST_LINES}"
    new = {line.name: len(line.value.encode()) for line in lines if line.name and not line.problem}
    try:
        secrets.check_room({entry.name: entry.size for entry in there.entries} | new)
    except Invalid as error:
        return error.problem
    return None
