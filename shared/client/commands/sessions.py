"""`outboard sessions`: the list, newest first."""

from argparse import Namespace
from dataclasses import dataclass
from datetime import UTC, datetime

from shared.client import views
from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.errors import Refused
from shared.domain.listing import Lifecycle
from shared.domain.session.state import SessionStatus
from shared.protocol.api import SessionView

PAGE = 100


@dataclass(frozen=True, slots=True)
class Wanted:
    lifecycle: str | None
    status: str | None
    query: str | None
    mine: bool


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    status = _status(arguments.status)
    async with Api(deployment, notice=console.remark) as api:
        wanted = Wanted(_lifecycle(arguments, status), status, arguments.query, arguments.mine)
        found = await _found(api, wanted, None if arguments.all else arguments.limit)
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


def _lifecycle(arguments: Namespace, status: str | None) -> str | None:
    """Null leaves it to the server: what is not archived, unless the status says so."""
    if arguments.lifecycle is None and arguments.all and status is None:
        return Lifecycle.ALL
    return arguments.lifecycle


async def _found(api: Api, wanted: Wanted, limit: int | None) -> list[SessionView]:
    """A page of a search may be empty and not the last."""
    found: list[SessionView] = []
    start: str | None = None
    while limit is None or len(found) < limit:
        page_size = PAGE if limit is None else min(PAGE, limit - len(found))
        page = await api.sessions(
            limit=page_size,
            start=start,
            status=wanted.status,
            lifecycle=wanted.lifecycle,
            query=wanted.query,
            mine=wanted.mine,
        )
        found += page.sessions
        start = page.next
        if start is None:
            break
    return found
