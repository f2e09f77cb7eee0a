"""`outboard user add | list | token`: people, and the files that their tokens are in."""

from argparse import Namespace

from shared.client import tokens, views
from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.requests import build
from shared.protocol.api import NewUser, UserList, UserToken


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    async with Api(deployment, notice=console.remark) as api:
        if arguments.verb == "list":
            _list(await api.users(), console)
            return 0
        new = build(NewUser, name=arguments.name)
        given = await (api.add_user(new) if arguments.verb == "add" else api.renew_token(new.name))
    _hand_over(given, deployment, console)
    return 0


def _list(found: UserList, console: Console) -> None:
    if not console.json:
        console.screen.show(views.users(found.users))
        return
    for user in found.users:
        console.say(user)


def _hand_over(given: UserToken, deployment: Deployment, console: Console) -> None:
    """On this machine the token goes into its file and over no screen; elsewhere there is none."""
    user = given.user.model_dump(mode="json", by_alias=True)
    path = deployment.token_file(given.user.name)
    if path is None:
        said = (f"{given.user.name}'s token, shown only now:", given.token)
        console.say(user | {"token": given.token}, said)
        return
    tokens.keep(path, given.token)
    said = (f"{given.user.name}'s token is in {path}; use it with --as {given.user.name}",)
    console.say(user | {"file": str(path)}, said)
