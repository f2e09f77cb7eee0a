"""One command from its words to its exit status.

0  the command did what it says; with `--wait`: the run completed
1  the run failed, was stopped or was cancelled
2  the command was wrong, or the server refused it
3  nobody answers: outboard is not running, or not reachable
130  Ctrl-C; a session that was followed goes on
141  whoever read the output has gone
"""

import asyncio
import os
import sys
from argparse import Namespace
from importlib import import_module
from io import TextIOWrapper

from shared.client.console import Console
from shared.client.deployment import discover
from shared.client.errors import ClientError, Refused
from shared.client.screen import leave_quietly, screen

INTERRUPTED = 130
READER_GONE = 141


def main(arguments: Namespace) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    console = Console(screen(sys.stdout, sys.stderr, os.environ), json=arguments.json)
    try:
        return _run(arguments, console)
    except ClientError as error:
        console.fail(error)
        return error.exit_status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        leave_quietly(sys.stdout)
        return READER_GONE


def _run(arguments: Namespace, console: Console) -> int:
    _check_text(arguments)
    deployment = discover(os.environ, arguments.as_user)
    # Each command loads what it needs and no more: the socket's library is not for `sessions`.
    command = import_module(f"shared.client.commands.{arguments.module}")
    return asyncio.run(command.run(arguments, deployment, console))


def _check_text(arguments: Namespace) -> None:
    """Python hands over bytes that are no text as halves of characters, which nothing can carry."""
    for word in filter(lambda value: isinstance(value, str), vars(arguments).values()):
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise Refused("an argument is not UTF-8") from error
