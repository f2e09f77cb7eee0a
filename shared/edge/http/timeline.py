"""What happened in a session, what came out of it, and the ticket to watch it live."""

from http import HTTPStatus
from typing import Annotated
from urllib.parse import urlencode

from aws_lambda_powertools.event_handler.openapi.params import Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter
from pydantic import BaseModel

from shared.app import boot_views, views
from shared.app.ports.timeline import Timeline
from shared.app.pull_request_views import artifacts_of
from shared.domain.errors import Invalid
from shared.domain.session.state import SessionId
from shared.edge.http.resolver import app_of, user_of, visit_of
from shared.edge.http.sessions import Id
from shared.protocol import api
from shared.protocol.base import MAX_SLOT
from shared.protocol.boots import BootList

router = APIGatewayHttpRouter()

PAGE_BYTES = 4 * 1024 * 1024
"""Of entries in one answer; Lambda's own limit is 6 MB."""


@router.get("/sessions/<session_id>/timeline", tags=["timeline"])
def timeline(
    session_id: Id,
    after: Annotated[int | None, Query(ge=0, le=MAX_SLOT)] = None,
    before: Annotated[int | None, Query(ge=1, le=MAX_SLOT)] = None,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 200,
) -> api.TimelinePage:
    """What follows `after`, or the last there is below `before`; ascending, without a hole."""
    if after is not None and before is not None:
        raise Invalid("before", "after or before, not both")
    user_of(router)
    app = app_of(router)
    app.sessions.load(SessionId(session_id))
    newest = app.timeline.before(SessionId(session_id), None, limit=1)
    return api.TimelinePage(
        entries=_page(app.timeline, SessionId(session_id), after or 0, before, limit),
        tail=newest[-1].seq if newest else 0,
    )


def _page(
    log: Timeline, session_id: SessionId, after: int, before: int | None, limit: int
) -> list[api.EntryView]:
    if before is None:
        entries = log.after(session_id, after, limit=limit)
        return _bounded([views.of_entry(entry) for entry in entries])
    newest_first = reversed(log.before(session_id, before, limit=limit))
    return _bounded([views.of_entry(entry) for entry in newest_first])[::-1]


@router.get("/sessions/<session_id>/boots", tags=["timeline"])
def boots(session_id: Id, limit: Annotated[int, Query(ge=1, le=20)] = 5) -> BootList:
    user_of(router)
    app = app_of(router)
    app.sessions.load(SessionId(session_id))
    found = app.store.boots(SessionId(session_id), limit=limit)
    return BootList(boots=_bounded([boot_views.of_boot(record) for record in found]))


def _bounded[M: BaseModel](shown: list[M]) -> list[M]:
    room = PAGE_BYTES
    for index, view in enumerate(shown):
        room -= len(view.model_dump_json())
        if room < 0 and index:
            return shown[:index]
    return shown


@router.get("/sessions/<session_id>/artifacts", tags=["timeline"])
def artifacts(session_id: Id) -> api.ArtifactList:
    user_of(router)
    app = app_of(router)
    session = app.sessions.load(SessionId(session_id))
    found = [*app.store.artifacts(session.id), *artifacts_of(session)]
    return api.ArtifactList(artifacts=[views.of_artifact(artifact) for artifact in found])


@router.post(
    "/sessions/<session_id>/socket-ticket", tags=["timeline"], status_code=HTTPStatus.CREATED
)
def socket_ticket(session_id: Id) -> api.SocketTicket:
    user = user_of(router)
    app = app_of(router)
    visit = visit_of(router)
    text, ticket = app.viewers.issue_ticket(
        SessionId(session_id), user, visit.scope, visit.login_hash
    )
    url = f"{app.clients_socket_url}?{urlencode({'ticket': text})}"
    return api.SocketTicket(ticket=text, url=url, expires_at=ticket.expires_at)
