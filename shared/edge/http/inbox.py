"""`/inbox`, and what people have read of a session: whom it waits for."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app import inbox_views
from shared.domain.session.state import SessionId
from shared.edge.http.resolver import app_of, user_of
from shared.edge.http.sessions import Id
from shared.protocol import inbox as wire

router = APIGatewayHttpRouter()


@router.get("/inbox", tags=["inbox"])
def inbox(
    limit: Annotated[int, Query(ge=1, le=100)] = 30,
    mine: Annotated[bool, Query()] = False,  # noqa: FBT002  a query parameter, always named
) -> wire.Inbox:
    """`limit` is for the recent ones. `mine`: only what the asking user owns."""
    user = user_of(router)
    return inbox_views.of_inbox(app_of(router).inboxes.of(user.id, limit=limit, mine=mine))


@router.put("/sessions/<session_id>/read", tags=["inbox"])
def read(session_id: Id, asked: Annotated[wire.ReadMark, Body()]) -> wire.InboxRow:
    """Whoever opens a session says so with this, and is a participant from then on."""
    user = user_of(router)
    row = app_of(router).inboxes.read(SessionId(session_id), user.id, asked.prompt)
    return inbox_views.of_row(row)


@router.get("/sessions/<session_id>/participants", tags=["inbox"])
def participants(session_id: Id) -> wire.ParticipantList:
    user_of(router)
    app = app_of(router)
    found = app.inboxes.participants(SessionId(session_id))
    return inbox_views.of_participants(found, app.accounts.all())
