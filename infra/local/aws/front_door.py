"""Who may call what: deployed APIs are open to this machine's own pages, AWS needs this host's key.

Every page in the user's browser and every sandbox can reach a loopback port. A call to AWS, to
`@connections` or to the emulator's own addresses could do anything with the deployment, so it is
one only with the key that only its owner can read. Whatever comes without the key goes to deployed
APIs and nowhere else: those under `/` are the pages and their API, which check cookies and tokens.
It has to mean this host (Host), and no other page may send it (Origin).
"""

import functools
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

from infra.local.aws.access import AccessKey
from infra.local.aws.administration import PREFIX, Administration
from infra.local.aws.aliases import DATA_PLANE, Aliases
from infra.local.aws.sockets import Application, Receive, Send, refuse

# An API and its stage, nothing less: what the emulator does not take for an API's address, it
# takes for a call to AWS.
_API = re.compile(rf"{DATA_PLANE}[A-Za-z0-9]+/")


class FrontDoor:
    def __init__(
        self,
        application: Application,
        key: AccessKey,
        port: int,
        aliases: Aliases,
        administration: Administration,
    ) -> None:
        self._application = application
        self._key = key
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        self._aliases = aliases
        self._administration = administration

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        await self._handler(scope)(scope, receive, send)

    def _handler(self, scope: Any) -> Callable[[Any, Receive, Send], Awaitable[None]]:
        if scope["type"] not in ("http", "websocket"):
            return self._application
        headers = _headers(scope)
        if self._key.signed(headers.get("authorization", "")):
            ours = scope["type"] == "http" and scope["path"].startswith(PREFIX)
            return self._administer if ours else self._aws
        if not self._means_us(headers) or _signed_with_another(headers):
            return _forbidden
        if self._is_open(self._resolved(scope)):
            return self._open
        return _introduction if _asks_what_this_is(scope) else _forbidden

    def _means_us(self, headers: dict[str, str]) -> bool:
        host, origin = headers.get("host", ""), headers.get("origin")
        return host in self._hosts and origin in (None, f"http://{host}")

    def _is_open(self, scope: Any) -> bool:
        return bool(_API.match(scope["path"])) and "/@connections" not in scope["path"]

    def _resolved(self, scope: Any) -> Any:
        path, raw_path = self._aliases.resolve(scope["path"], scope["raw_path"])
        return {**scope, "path": path, "raw_path": raw_path}

    async def _open(self, scope: Any, receive: Receive, send: Send) -> None:
        await self._application(self._resolved(scope), receive, send)

    async def _aws(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["path"].startswith("/_ministack/reset"):
            # It would empty memory and leave the disk: the next start would bring back half.
            await _forbidden(scope, receive, send)
        else:
            await self._application(scope, receive, send)

    async def _administer(self, scope: Any, receive: Receive, send: Send) -> None:
        body = functools.partial(_body, receive)
        answer = self._administration.answer(scope["method"], scope["path"], body)
        await _answer(send, *await answer)


def _signed_with_another(headers: dict[str, str]) -> bool:
    """Somebody means AWS; as on AWS that is no page that is not found."""
    return headers.get("authorization", "").startswith("AWS")


def _asks_what_this_is(scope: Any) -> bool:
    return scope["type"] == "http" and scope["method"] == "GET" and scope["path"] == "/"


def _headers(scope: Any) -> dict[str, str]:
    return {
        name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
    }


async def _body(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


async def _introduction(_scope: Any, _receive: Receive, send: Send) -> None:
    await _answer(send, 200, {"service": "outboard local"})


async def _forbidden(scope: Any, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await refuse(send, 403, "Forbidden")
    else:
        await _answer(send, 403, {"message": "Forbidden"})


async def _answer(send: Send, status: int, content: Any) -> None:
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(content).encode()})
