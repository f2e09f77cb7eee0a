"""`outboard secret list | set | import | remove`: what sandboxes get, and nobody reads again.

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
from shared.protocol.secrets import NewSecrets, ScopeName, SecretList

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
            case _:
                new = build(NewSecrets, scope=scope, target=target, text=_text(arguments.file))
                found = await api.put_secrets(new)
    console.say(found, _lines(found))
    return 0


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
    where = "everything" if found.target is None else clean_line(found.target)
    if not found.secrets:
        return (Line(f"no secrets for {where}"),)
    rows = [
        (f"  {secret.name}", clean_line(secret.updated_by), f"{secret.updated_at:%Y-%m-%d %H:%M}")
        for secret in found.secrets
    ]
    return Line(f"secrets for {where}:", Tone.STRONG), *table(rows)
