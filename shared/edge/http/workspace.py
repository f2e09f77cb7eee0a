"""What belongs to no session: people, and the models that are offered."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Path
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app import views
from shared.edge.http.resolver import app_of, user_of
from shared.protocol import api
from shared.protocol.models import DEMO

router = APIGatewayHttpRouter()

type Name = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9._-]{0,38}$")]


@router.get("/users", tags=["workspace"])
def users() -> api.UserList:
    user_of(router)
    return api.UserList(users=[views.of_user(user) for user in app_of(router).accounts.all()])


@router.post("/users", tags=["workspace"], status_code=HTTPStatus.CREATED)
def add_user(asked: Annotated[api.NewUser, Body()]) -> api.UserToken:
    user, token = app_of(router).accounts.add(user_of(router), asked.name)
    return api.UserToken(user=views.of_user(user), token=token)


@router.post("/users/<name>/token", tags=["workspace"])
def renew_token(name: Name) -> api.UserToken:
    user, token = app_of(router).accounts.renew(user_of(router), name)
    app_of(router).departures.close_sockets(user.id)
    return api.UserToken(user=views.of_user(user), token=token)


@router.get("/models", tags=["workspace"])
def models() -> api.ModelList:
    user_of(router)
    catalogue = app_of(router).catalogue
    offered = catalogue.models()
    return api.ModelList(
        models=[
            api.ModelView(
                id=model.id,
                label=model.label,
                efforts=list(model.efforts),
                default_effort=model.default_effort,
            )
            for model in offered
        ],
        default=catalogue.default_model(),
        demo=all(model == DEMO for model in offered),
    )
