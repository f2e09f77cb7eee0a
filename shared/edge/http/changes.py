"""`/sessions/{id}/changes`: what a session has changed, and the patch of each file."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.domain.session.state import SessionId
from shared.edge.http.resolver import app_of, user_of
from shared.edge.http.sessions import Id
from shared.protocol.changes import ChangesView, FilePatch, RefreshAsked

router = APIGatewayHttpRouter()

type Revision = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
type File = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$")]


@router.get("/sessions/<session_id>/changes", tags=["changes"])
def show(session_id: Id) -> ChangesView:
    user_of(router)
    return app_of(router).changes.view(SessionId(session_id))


@router.get("/sessions/<session_id>/changes/<revision>/<file>", tags=["changes"])
def show_file(session_id: Id, revision: Revision, file: File) -> FilePatch:
    user_of(router)
    return app_of(router).changes.patch(SessionId(session_id), revision, file)


@router.post(
    "/sessions/<session_id>/changes/refresh", tags=["changes"], status_code=HTTPStatus.ACCEPTED
)
def refresh(session_id: Id) -> RefreshAsked:
    user_of(router)
    return app_of(router).changes.refresh(SessionId(session_id))
