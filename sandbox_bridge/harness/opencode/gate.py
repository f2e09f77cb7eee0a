"""The loopback door of OpenCode's plugin: it waits here before a tool that may write, and comes
with what the agent hands in: screenshots, and pull requests that it wants opened.
"""

import asyncio
import hmac
import json
import secrets
from typing import Any, Final

from pydantic import ValidationError

from sandbox_bridge.harness.seam import (
    HandIn,
    NotHandedIn,
    OpenGate,
    OpenPullRequest,
    WriteGate,
    WritesRefused,
)
from shared.protocol.pull_requests import NewPullRequest

_SCREENSHOTS: Final = "/screenshots"
_PULL_REQUESTS: Final = "/pull-requests"
_MAX_BODY: Final = 128 * 1024
_REASONS: Final = {200: "OK", 403: "Forbidden", 423: "Locked"}


class GateDoor:
    """Answers when the gate does, or whoever takes images: 200, or 423 with the sentence for the
    agent.
    """

    def __init__(
        self,
        gate: WriteGate,
        hand_in: HandIn | None = None,
        open_pull_request: OpenPullRequest | None = None,
    ) -> None:
        self._gate = gate
        self._hand_in = hand_in
        self._open_pull_request = open_pull_request
        self._token = secrets.token_urlsafe(24)
        self._server: asyncio.Server | None = None
        self._waiting = set[asyncio.Task[Any]]()

    async def open(self) -> dict[str, str]:
        """The environment that leads the plugin here; empty when there is nothing to come for."""
        waits = not isinstance(self._gate, OpenGate)
        if not waits and self._hand_in is None and self._open_pull_request is None:
            return {}
        if self._server is None:
            self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return {
            "OUTBOARD_GATE_TOKEN": self._token,
            **({"OUTBOARD_GATE_URL": f"{url}/"} if waits else {}),
            **({"OUTBOARD_SCREENSHOT_URL": f"{url}{_SCREENSHOTS}"} if self._hand_in else {}),
            **(
                {"OUTBOARD_PULL_REQUEST_URL": f"{url}{_PULL_REQUESTS}"}
                if self._open_pull_request
                else {}
            ),
        }

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for waiting in tuple(self._waiting):
            waiting.cancel()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        waiting = asyncio.current_task()
        assert waiting
        self._waiting.add(waiting)
        try:
            status, sentence = await self._decide(await reader.readuntil(b"\r\n\r\n"), reader)
            writer.write(_response(status, sentence))
            await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            # Whoever asked is gone, or speaks no HTTP: there is nobody to answer.
            return
        finally:
            self._waiting.discard(waiting)
            writer.close()

    async def _decide(self, request: bytes, reader: asyncio.StreamReader) -> tuple[int, str]:
        if not hmac.compare_digest(_bearer(request), self._token.encode()):
            return 403, "this door is for the harness"
        try:
            if self._hand_in and _is_for(_SCREENSHOTS, request):
                return 200, await _screenshot(self._hand_in, await _body(request, reader))
            if self._open_pull_request and _is_for(_PULL_REQUESTS, request):
                return 200, await self._open_pull_request(_wanted(await _body(request, reader)))
            await self._gate.wait()
        except (WritesRefused, NotHandedIn) as refusal:
            return 423, str(refusal)
        return 200, ""


async def _screenshot(hand_in: HandIn, body: bytes) -> str:
    try:
        asked = json.loads(body)
        path, title = str(asked["path"]), str(asked["title"])
    except (ValueError, KeyError, TypeError):
        raise NotHandedIn("a screenshot has a path and a title") from None
    return await hand_in(path, title)


def _wanted(body: bytes) -> NewPullRequest:
    """The tool has to name all of its arguments; what it leaves empty is not asked for."""
    try:
        asked = dict(json.loads(body))
        return NewPullRequest.model_validate(
            {name: given for name, given in asked.items() if given}
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise NotHandedIn(f"{first['loc'][0]}: {first['msg']}") from None
    except (ValueError, TypeError):
        raise NotHandedIn("a pull request has a title and a body") from None


def _is_for(path: str, request: bytes) -> bool:
    return request.startswith(f"POST {path} ".encode())


async def _body(request: bytes, reader: asyncio.StreamReader) -> bytes:
    return await reader.readexactly(_length(request))


def _bearer(request: bytes) -> bytes:
    return _header(request, b"authorization").removeprefix(b"Bearer ")


def _length(request: bytes) -> int:
    """What is longer is cut off, and so no JSON."""
    return min(int(_header(request, b"content-length")), _MAX_BODY)


def _header(request: bytes, name: bytes) -> bytes:
    lines = (line.partition(b":") for line in request.split(b"\r\n")[1:])
    return next((value.strip() for found, _, value in lines if found.lower() == name), b"")


def _response(status: int, sentence: str) -> bytes:
    body = sentence.encode()
    head = f"HTTP/1.1 {status} {_REASONS[status]}\r\ncontent-type: text/plain; charset=utf-8\r\n"
    return f"{head}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body
