"""`/environments`: named sets of repositories, for everybody of the workspace."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Path
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app.environment_views import of_environment
from shared.domain.session.state import EnvironmentId, SessionId
from shared.edge.http import sessions
from shared.edge.http.resolver import app_of, user_of
from shared.protocol import environments as wire

router = APIGatewayHttpRouter()

type Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


@router.get("/environments", tags=["environments"])
def environments() -> wire.EnvironmentList:
    user_of(router)
    found = app_of(router).environments.all()
    return wire.EnvironmentList(environments=[of_environment(each) for each in found])


@router.post("/environments", tags=["environments"], status_code=HTTPStatus.CREATED)
def create(asked: Annotated[wire.NewEnvironment, Body()]) -> wire.EnvironmentView:
    user = user_of(router)
    return of_environment(app_of(router).environments.create(user.id, asked))


@router.get("/environments/<environment_id>", tags=["environments"])
def show(environment_id: Id) -> wire.EnvironmentView:
    user_of(router)
    return of_environment(app_of(router).environments.get(EnvironmentId(environment_id)))


@router.put("/environments/<environment_id>", tags=["environments"])
def edit(
    environment_id: Id, asked: Annotated[wire.EnvironmentChange, Body()]
) -> wire.EnvironmentView:
    user, found = user_of(router), EnvironmentId(environment_id)
    return of_environment(app_of(router).environments.edit(user.id, found, asked))


@router.delete("/environments/<environment_id>", tags=["environments"])
def delete(environment_id: Id) -> wire.EnvironmentDeleted:
    """Sessions that were opened from it go on with what they have."""
    user_of(router)
    app_of(router).environments.delete(EnvironmentId(environment_id))
    return wire.EnvironmentDeleted(id=environment_id)


@router.post(
    "/sessions/<session_id>/environment", tags=["environments"], status_code=HTTPStatus.CREATED
)
def save(
    session_id: sessions.Id, asked: Annotated[wire.NewEnvironmentOfSession, Body()]
) -> wire.EnvironmentView:
    """The session's repositories under a name, for other sessions."""
    user, session = user_of(router), SessionId(session_id)
    return of_environment(app_of(router).environments.save(user.id, session, asked))
