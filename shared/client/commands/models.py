"""`outboard models`: what there is to choose from."""

from argparse import Namespace

from shared.client import views
from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    del arguments
    async with Api(deployment, notice=console.remark) as api:
        found = await api.models()
    if not console.json:
        console.screen.show(views.models(found))
        return 0
    for model in found.models:
        chosen = {"default": model.id == found.default, "demo": found.demo}
        console.say(model.model_dump(mode="json", by_alias=True) | chosen)
    return 0
