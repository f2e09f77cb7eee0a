"""`outboard repo`: the repositories that the browser offers, and those of the code hosts."""

from argparse import Namespace
from datetime import UTC, datetime

from shared.client import forge_view, views
from shared.client.api import Api
from shared.client.commands import about
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.lines import Line
from shared.client.repository import target
from shared.protocol.forge import BranchList, ForgeRepositoryList
from shared.protocol.inbox import RememberedRepository, RepositoryList


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    async with Api(deployment, notice=console.remark) as api:
        if arguments.verb == "list":
            _list(await api.repositories(), console)
            return 0
        if arguments.verb == "find":
            listed = await api.forge_repositories(" ".join(arguments.words))
            _show(listed, forge_view.repositories(listed, datetime.now(UTC)), console)
            return 0
        if arguments.verb == "branches":
            found = await api.branches(arguments.url)
            _show(found, forge_view.branches(found, datetime.now(UTC)), console)
            return 0
        if arguments.verb == "about":
            await about.run(api, arguments, console)
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


def _show(
    listed: ForgeRepositoryList | BranchList, lines: tuple[Line, ...], console: Console
) -> None:
    if console.json:
        console.say(listed)
    else:
        console.screen.show(lines)


def _told(added: RememberedRepository, console: Console) -> None:
    console.say(added.model_dump(mode="json", by_alias=True), views.added(added))
