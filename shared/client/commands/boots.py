"""`outboard boots`: how the sandboxes of a session came up, the newest first."""

from argparse import Namespace

from shared.client import boots
from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.find import find


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    async with Api(deployment, notice=console.remark) as api:
        session = await find(api, arguments.session)
        found = (await api.boots(session.id, limit=arguments.limit)).boots
    if not console.json:
        console.screen.show(boots.lines(found))
        return 0
    for boot in found:
        console.say(boot)
    return 0
