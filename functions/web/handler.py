"""The pages: the built client, which the deployment puts beside this file."""

import os
from functools import cache
from pathlib import Path
from typing import Any

from shared.edge.web import files
from shared.edge.web.site import Site
from shared.settings import Settings

BUILD = Path(__file__).with_name("static")


@cache
def site() -> Site:
    given = Settings.from_env(os.environ)
    return Site(files.read(BUILD), given.clients_socket_url, loopback=given.loopback)


def lambda_handler(event: dict[str, Any], _context: Any) -> dict[str, Any]:
    return site().answer(event)
