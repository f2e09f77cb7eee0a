"""`/repositories`: those that people have worked on, or have registered to work on."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app import inbox_views
from shared.edge.http.resolver import app_of, user_of
from shared.protocol import inbox as wire
from shared.protocol.api import NewRepository

router = APIGatewayHttpRouter()


@router.get("/repositories", tags=["repositories"])
def repositories() -> wire.RepositoryList:
    user_of(router)
    return inbox_views.of_repositories(app_of(router).desk.known_repositories())


@router.post("/repositories", tags=["repositories"], status_code=HTTPStatus.CREATED)
def register(asked: Annotated[NewRepository, Body()]) -> wire.RememberedRepository:
    """Safe to repeat: one that is known gets the label and branch that are given."""
    user_of(router)
    return inbox_views.of_repository(app_of(router).desk.register(asked))
