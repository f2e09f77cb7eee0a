"""`/tokens`: the personal access tokens of whoever asks."""

from datetime import timedelta
from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Path
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app import token_views
from shared.edge.http.resolver import app_of, user_of
from shared.protocol import access_tokens as wire

router = APIGatewayHttpRouter()

type TokenId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


@router.get("/tokens", tags=["tokens"])
def listed() -> wire.AccessTokenList:
    found = app_of(router).personal_tokens.of(user_of(router))
    return wire.AccessTokenList(tokens=[token_views.of_token(token) for token in found])


@router.post("/tokens", tags=["tokens"], status_code=HTTPStatus.CREATED)
def create(asked: Annotated[wire.NewAccessToken, Body()]) -> wire.AccessTokenCreated:
    user, life = user_of(router), timedelta(days=asked.days)
    made = app_of(router).personal_tokens.create(user, asked.name, asked.scope, life)
    return wire.AccessTokenCreated(secret=made[0], token=token_views.of_token(made[1]))


@router.delete("/tokens/<token_id>", tags=["tokens"], status_code=HTTPStatus.NO_CONTENT)
def revoke(token_id: TokenId) -> Response[str]:
    app_of(router).personal_tokens.revoke(user_of(router), token_id)
    return Response(status_code=HTTPStatus.NO_CONTENT, body="")
