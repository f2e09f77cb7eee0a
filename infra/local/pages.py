"""The first thing that somebody wants of a machine that is up: a link that signs a browser in."""

import json
from urllib.error import URLError
from urllib.request import ProxyHandler, Request, build_opener

from infra.local.deployment import Deployed
from infra.local.refusal import Refusal

_TIMEOUT = 60
"""Its answer waits for the function's first start."""


def sign_in_link(deployed: Deployed, token: str) -> str:
    """Works once, for ten minutes. Raises `Refusal`."""
    asked = Request(  # noqa: S310 - http, to this machine
        f"{deployed.http}/sign-in/codes",
        method="POST",
        headers={"authorization": f"Bearer {token}"},
    )
    directly = build_opener(ProxyHandler({}))
    try:
        with directly.open(asked, timeout=_TIMEOUT) as answer:
            code = json.loads(answer.read())["code"]
    except (URLError, TimeoutError, ValueError, KeyError) as error:
        raise Refusal(f"the API at {deployed.http} signs nobody in: {error}") from error
    return f"{deployed.web}/sign-in#{code}"
