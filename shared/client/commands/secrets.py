"""`outboard secret`, with a verb: what sandboxes get, and nobody reads again.

A value comes from the standard input or is typed unseen: an argument is in every list of processes.
"""

import sys
from argparse import Namespace
from getpass import getpass
from pathlib import Path

from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.environments import find
from shared.client.errors import Refused
from shared.client.lines import Line, Tone
from shared.client.repository import address
from shared.client.requests import build
from shared.client.untrusted import clean_line
from shared.client.views import table
from shared.protocol.secrets import NewCopy, NewRotation, NewSecrets, ScopeName, SecretList

ENVIRONMENT_ID = "env_"

type Place = tuple[ScopeName, str | None]


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    async with Api(deployment, notice=console.remark) as api:
        if arguments.verb == "copy":
            found = await _copied(api, arguments, deployment)
        elif arguments.verb == "rotate":
            place = await _place(api, arguments, deployment)
            await _rotate(_rotation(arguments, place), api, console)
            return 0
        else:
            found = await _done(api, arguments, await _place(api, arguments, deployment))
    console.say(found, _lines(found))
    return 0


async def _done(api: Api, arguments: Namespace, place: Place) -> SecretList:
    scope, target = place
    match arguments.verb:
        case "list":
            return await api.secrets(scope, target)
        case "remove":
            return await api.remove_secret(arguments.name, scope, target)
        case "set":
            values = {arguments.name: _value(arguments.name)}
            new = build(NewSecrets, scope=scope, target=target, values=values)
        case _:
            new = build(NewSecrets, scope=scope, target=target, text=_text(arguments.file))
    return await api.put_secrets(new)


async def _copied(api: Api, arguments: Namespace, deployment: Deployment) -> SecretList:
    new = build(
        NewCopy,
        environment=(await find(api, arguments.env)).id,
        repository=await address(arguments.repo, deployment),
        names=arguments.names,
    )
    return await api.copy_secrets(new)


async def _rotate(asked: NewRotation, api: Api, console: Console) -> None:
    """Values stay as they are: who has them in a sandbox notices nothing."""
    rotated = await api.rotate_secrets(asked)
    sealed = [each for each in rotated.scopes if each.secrets]
    counts = [(f"  {_named(each)}", str(len(each.secrets))) for each in sealed]
    head = Line("sealed anew, under fresh keys:" if counts else "there are no secrets to seal anew")
    console.say(rotated, (head, *table(counts)) if counts else (head,))


def _rotation(arguments: Namespace, place: Place) -> NewRotation:
    """Raises `Refused`: `--all` is every scope, and a place is one."""
    scope, target = place
    if not arguments.all:
        return build(NewRotation, scope=scope, target=target)
    if target is not None:
        raise Refused("--all is of every scope: name no --repo and no --env")
    return NewRotation()


async def _place(api: Api, arguments: Namespace, deployment: Deployment) -> Place:
    repository = getattr(arguments, "repo", None)
    environment = getattr(arguments, "env", None)
    if repository is not None:
        return "repository", await address(repository, deployment)
    if environment is None:
        return "global", None
    if environment.startswith(ENVIRONMENT_ID):
        return "environment", environment  # Also one that is gone: its sessions have them still.
    return "environment", (await find(api, environment)).id


def _value(name: str) -> str:
    """Without the newline that ends a line, which is the shell's."""
    if sys.stdin.isatty():
        return getpass(f"{clean_line(name)}: ")
    return _decoded(sys.stdin.buffer.read()).removesuffix("\n").removesuffix("\r")


def _text(file: str) -> str:
    try:
        return _decoded(Path(file).read_bytes())
    except OSError as error:
        raise Refused(f"{file} cannot be read: {error.strerror}") from error


def _decoded(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        # Its text and its cause have the bytes in them.
        raise Refused("it is no UTF-8") from None


def _lines(found: SecretList) -> tuple[Line, ...]:
    where = _named(found)
    if not found.secrets:
        return (Line(f"no secrets for {where}"),)
    rows = [
        (f"  {secret.name}", clean_line(secret.updated_by), f"{secret.updated_at:%Y-%m-%d %H:%M}")
        for secret in found.secrets
    ]
    return Line(f"secrets for {where}:", Tone.STRONG), *table(rows)


def _named(found: SecretList) -> str:
    return "everything" if found.target is None else clean_line(found.target)
