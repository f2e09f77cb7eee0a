"""`outboard token list | create | revoke`: tokens of one's own, for programs."""

from argparse import Namespace

from shared.client import views
from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.lines import Line
from shared.client.requests import build
from shared.client.untrusted import clean_line
from shared.protocol.access_tokens import (
    AccessTokenCreated,
    AccessTokenList,
    AccessTokenView,
    NewAccessToken,
)


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    async with Api(deployment, notice=console.remark) as api:
        match arguments.verb:
            case "list":
                _list(await api.access_tokens(), console)
            case "create":
                asked = build(
                    NewAccessToken,
                    name=arguments.name,
                    scope=arguments.scope,
                    days=arguments.days,
                )
                _show(await api.create_access_token(asked), console)
            case _:
                await api.revoke_access_token(arguments.id)
                said = (f"{clean_line(arguments.id)} is revoked",)
                console.say({"id": arguments.id, "revoked": True}, said)
    return 0


def _list(found: AccessTokenList, console: Console) -> None:
    if not console.json:
        console.screen.show(_rows(found.tokens) if found.tokens else (Line("no tokens"),))
        return
    for token in found.tokens:
        console.say(token)


def _rows(tokens: list[AccessTokenView]) -> tuple[Line, ...]:
    head = ("id", "scope", "until", "last used", "name")
    rows = [
        (
            token.id,
            token.scope,
            f"{token.expires_at:%Y-%m-%d}",
            "never" if token.last_used is None else f"{token.last_used:%Y-%m-%d}",
            clean_line(token.name),
        )
        for token in tokens
    ]
    return views.table([head, *rows])


def _show(made: AccessTokenCreated, console: Console) -> None:
    token = made.token
    good = f"good until {token.expires_at:%Y-%m-%d}, scope {token.scope}"
    said = (f"{token.id}, {good}. The token, shown only now:", made.secret)
    console.say(token.model_dump(mode="json", by_alias=True) | {"secret": made.secret}, said)
