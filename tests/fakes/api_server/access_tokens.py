"""`/tokens` of the scripted server."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from shared.protocol import access_tokens as wire
from tests.fakes.api_server.sessions import Refusal

if TYPE_CHECKING:  # the server imports its routes
    from tests.fakes.api_server.routes import Asked
    from tests.fakes.api_server.server import ApiServer

MADE = datetime(2026, 1, 2, tzinfo=UTC)


def answer(
    server: "ApiServer", asked: "Asked", user: str, rest: list[str]
) -> tuple[int, BaseModel | dict[str, Any]]:
    match [asked.method, *rest]:
        case ["GET"]:
            return 200, wire.AccessTokenList(tokens=list(server.access_tokens.values()))
        case ["POST"]:
            new = wire.NewAccessToken.model_validate(asked.body)
            token = _made(new, f"t{len(server.access_tokens) + 1}")
            server.access_tokens[token.id] = token
            secret = f"oba.{user}.{token.id}.secret"
            return 201, wire.AccessTokenCreated(token=token, secret=secret)
        case ["DELETE", token_id] if token_id in server.access_tokens:
            del server.access_tokens[token_id]
            return 200, {}
        case _:
            raise Refusal(404, "not_found", "you have no such token")


def _made(new: wire.NewAccessToken, token_id: str) -> wire.AccessTokenView:
    return wire.AccessTokenView(
        id=token_id,
        name=new.name,
        scope=new.scope,
        created_at=MADE,
        expires_at=MADE + timedelta(days=new.days),
        last_used=None,
    )
