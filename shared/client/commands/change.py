"""`outboard stop | unqueue | rename | archive | resume | save | …`: one change to a session."""

from argparse import Namespace
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.find import find
from shared.client.requests import build
from shared.client.untrusted import clean_line
from shared.protocol.api import Rename, SessionView

_SAID = {
    "archive": "archived",
    "unarchive": "taken back from the archive",
    "cancel": "cancelled",
    "resume": "its queue goes on",
    "anew": "the next sandbox begins with what was pushed",
}


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    async with Api(deployment, notice=console.remark) as api:
        before = await find(api, arguments.session)
        after = await _change(api, before, arguments)
    console.say(after, (f"session {after.id}: {_said(arguments, before, after)}",))
    return 0


async def _change(api: Api, before: SessionView, arguments: Namespace) -> SessionView:
    session_id = before.id
    match arguments.command:
        case "stop":
            return await api.stop(session_id, before.running)
        case "unqueue":
            return await api.unqueue(session_id, arguments.prompt)
        case "rename":
            return await api.rename(session_id, build(Rename, title=arguments.title))
        case _:
            return await _by_name(api, session_id)[arguments.command]()


def _by_name(api: Api, session_id: str) -> Mapping[str, Callable[[], Awaitable[SessionView]]]:
    return {
        "archive": partial(api.archive, session_id),
        "unarchive": partial(api.unarchive, session_id),
        "resume": partial(api.resume, session_id),
        "anew": partial(api.anew, session_id),
        "save": partial(api.save, session_id),
        "cancel": partial(api.cancel, session_id),
    }


def _said(arguments: Namespace, before: SessionView, after: SessionView) -> str:
    match arguments.command:
        case "stop" if before.running is None:
            return "the prompt that waited for its sandbox is stopped"
        case "stop" if after.running != before.running:
            return f"prompt {before.running} was over already"
        case "stop":
            return f"prompt {before.running} is told to stop"
        case "unqueue":
            return f"prompt {arguments.prompt} is taken back"
        case "rename":
            return f"is now called {clean_line(after.title)!r}"
        case "save" if after.running is not None:
            return "a copy of its files is made when the running prompt has ended"
        case "save":
            return "a copy of its files is being made"
        case command:
            return _SAID[command]
