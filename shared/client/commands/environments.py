"""`outboard env list | show | create | edit | delete | save`: named sets of repositories."""

from argparse import Namespace

from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.environments import find, listed, shown, targets
from shared.client.errors import Refused
from shared.client.find import find as find_session
from shared.client.requests import build, new_id
from shared.client.untrusted import clean_line
from shared.protocol.api import NewRepository
from shared.protocol.environments import (
    EnvironmentChange,
    EnvironmentView,
    NewEnvironment,
    NewEnvironmentOfSession,
)


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    async with Api(deployment, notice=console.remark) as api:
        match arguments.verb:
            case "list":
                _list((await api.environments()).environments, console)
            case "delete":
                await _delete(api, arguments, console)
            case _:
                found = await _made(api, arguments, console)
                console.say(found, shown(found))
    return 0


async def _made(api: Api, arguments: Namespace, console: Console) -> EnvironmentView:
    match arguments.verb:
        case "show":
            return await find(api, arguments.env)
        case "edit":
            return await _edit(api, arguments, console)
        case "save":
            session = await find_session(api, arguments.session)
            new = build(NewEnvironmentOfSession, request_id=new_id(), **_words(arguments))
            return await api.save_environment(session.id, new)
        case _:
            return await _create(api, arguments, console)


async def _create(api: Api, arguments: Namespace, console: Console) -> EnvironmentView:
    repositories = await targets(api, arguments.repo, console.remark)
    new = build(NewEnvironment, request_id=new_id(), repositories=repositories, **_words(arguments))
    return await api.create_environment(new)


async def _edit(api: Api, arguments: Namespace, console: Console) -> EnvironmentView:
    """Whatever is not named stays; the repositories are named all together or not at all."""
    if arguments.name is None and arguments.description is None and not arguments.repo:
        raise Refused("nothing to change: give --name, --description or --repo")
    found = await find(api, arguments.env)
    change = build(
        EnvironmentChange,
        version=found.version,
        name=found.name if arguments.name is None else arguments.name,
        description=found.description if arguments.description is None else arguments.description,
        repositories=await targets(api, arguments.repo, console.remark)
        if arguments.repo
        else _as_they_are(found),
    )
    return await api.edit_environment(found.id, change)


async def _delete(api: Api, arguments: Namespace, console: Console) -> None:
    found = await find(api, arguments.env)
    gone = await api.delete_environment(found.id)
    console.say(gone, (f"environment {clean_line(found.name)} is deleted; its sessions go on",))


def _list(found: list[EnvironmentView], console: Console) -> None:
    if not console.json:
        console.screen.show(listed(found))
        return
    for environment in found:
        console.say(environment)


def _words(arguments: Namespace) -> dict[str, str]:
    return {"name": arguments.name, "description": arguments.description or ""}


def _as_they_are(found: EnvironmentView) -> list[NewRepository]:
    """A label that is the URL is none of its own."""
    return [
        build(
            NewRepository,
            url=each.url,
            branch=each.branch,
            label="" if each.label == each.url else each.label,
        )
        for each in found.repositories
    ]
