"""`outboard events`: a session's timeline from a slot on, and with `--follow` what comes next."""

import asyncio
from argparse import Namespace
from contextlib import aclosing

from shared.client import views
from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.find import find
from shared.client.live import follow
from shared.client.narration import Narrator, narrator, telling
from shared.protocol.api import SessionView

PAGE = 200


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    async with Api(deployment, notice=console.remark) as api:
        session = await find(api, arguments.session)
        if not console.json:
            console.screen.show(views.demo(session))
        told = narrator(console, session, live=arguments.follow)
        if arguments.follow:
            await _follow(api, session, arguments.after, told, console)
        else:
            newest = await _read(api, session, arguments.after, told)
            console.remark(f"slot {newest} is the newest; --after {newest} goes on from here")
    return 0


async def _read(api: Api, session: SessionView, after: int, told: Narrator) -> int:
    async with telling(told):
        while True:
            page = await api.timeline(session.id, after=after, limit=PAGE)
            for entry in page.entries:
                told.hear(entry)
                after = entry.seq
            if not page.entries or after >= page.tail:
                return min(after, page.tail)


async def _follow(
    api: Api, session: SessionView, after: int, told: Narrator, console: Console
) -> None:
    live = follow(api, session.id, after=after, notice=console.remark)
    try:
        async with telling(told), aclosing(live.entries()) as entries:
            async for entry in entries:
                told.hear(entry)
    except asyncio.CancelledError:
        console.remark(goes_on(session.id, live.rules.cursor))
        raise


def goes_on(session_id: str, cursor: int) -> str:
    again = f"./outboard events {session_id} --after {cursor} --follow"
    return f"the session goes on; follow it again with: {again}"
