"""`outboard changes`: what a session has changed since it began."""

import asyncio
from argparse import Namespace
from datetime import timedelta
from typing import Any

from shared.client import changes
from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.errors import Refused
from shared.client.find import find
from shared.protocol.api import SessionView
from shared.protocol.changes import STALE, ChangesView

REFRESHES_WITHIN = timedelta(minutes=2)
LOOKS_EVERY = timedelta(seconds=0.5)
_TRIES = 3


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    async with Api(deployment, notice=console.remark) as api:
        session = await _meant(api, arguments.session)
        if arguments.refresh:
            await _refresh(api, session.id)
        view, patches = await _read(api, session.id, arguments)
    if console.json:
        console.say(_value(view, patches))
    else:
        console.screen.show(changes.lines(view, patches))
    return 0


async def _meant(api: Api, given: str | None) -> SessionView:
    if given is not None:
        return await find(api, given)
    newest = (await api.sessions(limit=1, mine=True)).sessions
    if not newest:
        raise Refused("you have no session", code="not_found")
    return newest[0]


async def _refresh(api: Api, session_id: str) -> None:
    """Until the sandbox has answered: it has compared, or says that it could not."""
    before = _answered(await api.changes(session_id))
    await api.refresh_changes(session_id)
    for _ in range(REFRESHES_WITHIN // LOOKS_EVERY):
        if _answered(await api.changes(session_id)) != before:
            return
        await asyncio.sleep(LOOKS_EVERY.total_seconds())
    raise Refused("the sandbox was asked and has not answered yet", code="unavailable")


def _answered(view: ChangesView) -> object:
    return view.compared_at, view.error


async def _read(
    api: Api, session_id: str, arguments: Namespace
) -> tuple[ChangesView, dict[str, str] | None]:
    """All of one revision: from the beginning when a newer one comes between."""
    for _ in range(_TRIES):
        view = _only(await api.changes(session_id), arguments.repo)
        if arguments.stat or view.revision is None:
            return view, None if arguments.stat else {}
        try:
            return view, await _patches(api, session_id, view, view.revision)
        except Refused as error:
            if error.code != STALE:
                raise
    raise Refused("the changes are being replaced; try again", code=STALE)


async def _patches(api: Api, session_id: str, view: ChangesView, revision: str) -> dict[str, str]:
    files = (file for repository in view.repositories for file in repository.files)
    wanted = [file.id for file in files if file.render == "renderable"]
    return {file: (await api.file_patch(session_id, revision, file)).patch for file in wanted}


def _only(view: ChangesView, name: str | None) -> ChangesView:
    if name is None or view.revision is None:
        return view
    found = [repository for repository in view.repositories if repository.name == name]
    if not found:
        names = ", ".join(repository.name for repository in view.repositories)
        raise Refused(f"no repository {name!r}: there is {names}", code="not_found")
    return view.model_copy(update={"repositories": found})


def _value(view: ChangesView, patches: dict[str, str] | None) -> dict[str, Any]:
    value = view.model_dump(mode="json", by_alias=True)
    if patches is None:
        return value
    for repository in value["repositories"]:
        for file in repository["files"]:
            file["patch"] = patches.get(file["id"], "")
    return value
