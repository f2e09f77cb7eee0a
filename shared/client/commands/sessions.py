"""`outboard sessions`: the list, newest first."""

from argparse import Namespace
from datetime import UTC, datetime

from shared.client import views
from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.errors import Refused
from shared.domain.session.state import SessionStatus
from shared.protocol.api import SessionView

PAGE = 100


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    status = _status(arguments.status)
    async with Api(deployment, notice=console.remark) as api:
        if arguments.all:
            found = await _all(api, status, mine=arguments.mine)
        else:
            found = await _some(api, status, mine=arguments.mine, limit=arguments.limit)
    if not console.json:
        console.screen.show(views.sessions(found, datetime.now(UTC)))
        return 0
    for session in found:
        console.say(session)
    return 0


def _status(given: str | None) -> str | None:
    if given is not None and given not in set(SessionStatus):
        raise Refused(f"--status: {given!r} is none of {', '.join(SessionStatus)}")
    return given


async def _all(api: Api, status: str | None, *, mine: bool) -> list[SessionView]:
    """Without a status the server leaves the archived ones out; here they belong."""
    found = await _some(api, status, mine=mine, limit=None)
    if status is not None:
        return found
    archived = await _some(api, SessionStatus.ARCHIVED, mine=mine, limit=None)
    unique = {session.id: session for session in (*found, *archived)}
    return sorted(unique.values(), key=lambda session: session.updated_at, reverse=True)


async def _some(
    api: Api, status: str | None, *, mine: bool, limit: int | None
) -> list[SessionView]:
    found: list[SessionView] = []
    start: str | None = None
    while limit is None or len(found) < limit:
        wanted = PAGE if limit is None else min(PAGE, limit - len(found))
        page = await api.sessions(limit=wanted, start=start, status=status, mine=mine)
        found += page.sessions
        start = page.next
        if start is None:
            break
    return found
