"""Finding the session that somebody means: its id, or the beginning of a recent one's."""

import re

from shared.client.api import Api
from shared.client.errors import Refused
from shared.protocol.api import SessionView

RECENT = 100

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


async def find(api: Api, given: str) -> SessionView:
    """Raises `Refused` when there is none, or more than one that begins like that."""
    if not _ID.fullmatch(given):
        raise Refused(f"{given!r} is no session's id", code="not_found")
    try:
        return await api.session(given)
    except Refused as error:
        if error.code != "not_found":
            raise
    meant = await _beginning(api, given, None) or await _beginning(api, given, "archived")
    if not meant:
        raise Refused(f"no session {given!r}, and no recent one begins so", code="not_found")
    if len(meant) > 1:
        ids = ", ".join(session.id for session in meant[:5])
        raise Refused(f"{given!r} is the beginning of {len(meant)} sessions: {ids}")
    return meant[0]


async def _beginning(api: Api, given: str, status: str | None) -> list[SessionView]:
    page = await api.sessions(limit=RECENT, status=status)
    return [session for session in page.sessions if session.id.startswith(given)]
