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
from shared.client.errors import Refused
from shared.client.lines import Line, Tone
from shared.client.repository import address
from shared.client.requests import build
from shared.client.untrusted import clean_line
from shared.client.views import table
from shared.protocol.secrets import NewRotation, NewSecrets, ScopeName, SecretList

type Place = tuple[ScopeName, str | None]


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    scope, target = await _place(arguments, deployment)
    async with Api(deployment, notice=console.remark) as api:
        match arguments.verb:
            case "list":
                found = await api.secrets(scope, target)
            case "remove":
                found = await api.remove_secret(arguments.name, scope, target)
            case "set":
                values = {arguments.name: _value(arguments.name)}
                new = build(NewSecrets, scope=scope, target=target, values=values)
                found = await api.put_secrets(new)
            case "rotate":
                await _rotate(_rotation(arguments, (scope, target)), api, console)
                return 0
            case _:
                new = build(NewSecrets, scope=scope, target=target, text=_text(arguments.file))
                found = await api.put_secrets(new)
    console.say(found, _lines(found))
    return 0


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


async def _place(arguments: Namespace, deployment: Deployment) -> Place:
    repository = getattr(arguments, "repo", None)
    environment = getattr(arguments, "env", None)
    if repository is not None:
        return "repository", await address(repository, deployment)
    return ("global", None) if environment is None else ("environment", environment)


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
