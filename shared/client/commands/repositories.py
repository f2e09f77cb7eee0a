"""`outboard repo add | list`: the repositories that the browser offers to work on."""

from argparse import Namespace
from datetime import UTC, datetime

from shared.client import views
from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.repository import target
from shared.protocol.inbox import RememberedRepository, RepositoryList


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    async with Api(deployment, notice=console.remark) as api:
        if arguments.verb == "list":
            _list(await api.repositories(), console)
            return 0
        new = await target(arguments.repository, arguments.branch, deployment, _say_nothing)
        if arguments.label is not None:
            new = new.model_copy(update={"label": arguments.label})
        _told(await api.register_repository(new), console)
    return 0


def _say_nothing(_: str) -> None:
    """What is cloned later says so then."""


def _list(found: RepositoryList, console: Console) -> None:
    if not console.json:
        console.screen.show(views.repositories(found.repositories, datetime.now(UTC)))
        return
    for repository in found.repositories:
        console.say(repository)


def _told(added: RememberedRepository, console: Console) -> None:
    console.say(added.model_dump(mode="json", by_alias=True), views.added(added))
