"""`outboard open`: a link that signs a browser in as who asks, and the browser opened with it."""

import os
import sys
import webbrowser
from argparse import Namespace
from collections.abc import Mapping
from urllib.parse import quote

from shared.client.api import Api
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.find import find


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    async with Api(deployment, notice=console.remark) as api:
        session = await find(api, arguments.session) if arguments.session else None
        code = await api.sign_in_code()
    url = link(deployment.web, code.code, session.id if session else None)
    opened = not arguments.print and has_display(os.environ, sys.platform) and webbrowser.open(url)
    said = {"url": url, "expiresAt": code.expires_at.isoformat(), "opened": opened}
    console.say(said, (url,))
    if not console.json:
        console.remark(f"it signs one browser in, once, until {code.expires_at:%H:%M} UTC")
    return 0


def link(web: str, code: str, session_id: str | None) -> str:
    """The code is behind the `#`: a browser sends that to nobody, so it is in no server's log."""
    to = f"?to={quote(f'/session/{session_id}', safe='/')}" if session_id else ""
    return f"{web}/sign-in{to}#{code}"


def has_display(environment: Mapping[str, str], platform: str) -> bool:
    """Without one a browser would be one of the terminal, or none."""
    if platform in {"darwin", "win32"}:
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))
