"""The loopback door at which OpenCode's plugin waits before a tool that may write."""

import asyncio
import hmac
import secrets
from typing import Any, Final

from sandbox_bridge.harness.seam import OpenGate, WriteGate, WritesRefused

_REASONS: Final = {200: "OK", 403: "Forbidden", 423: "Locked"}


class GateDoor:
    """Answers each request when the gate does: 200, or 423 with the sentence for the agent."""

    def __init__(self, gate: WriteGate) -> None:
        self._gate = gate
        self._token = secrets.token_urlsafe(24)
        self._server: asyncio.Server | None = None
        self._waiting = set[asyncio.Task[Any]]()

    async def open(self) -> dict[str, str]:
        """The environment that leads the plugin here; empty for a gate that never waits."""
        if isinstance(self._gate, OpenGate):
            return {}
        if self._server is None:
            self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        return {
            "OUTBOARD_GATE_URL": f"http://127.0.0.1:{port}/",
            "OUTBOARD_GATE_TOKEN": self._token,
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
            status, sentence = await self._decide(await reader.readuntil(b"\r\n\r\n"))
            writer.write(_response(status, sentence))
            await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            # Whoever asked is gone, or speaks no HTTP: there is nobody to answer.
            return
        finally:
            self._waiting.discard(waiting)
            writer.close()

    async def _decide(self, request: bytes) -> tuple[int, str]:
        if not hmac.compare_digest(_bearer(request), self._token.encode()):
            return 403, "this door is for the harness"
        try:
            await self._gate.wait()
        except WritesRefused as refusal:
            return 423, str(refusal)
        return 200, ""


def _bearer(request: bytes) -> bytes:
    lines = request.split(b"\r\n")
    named = (line.split(b":", 1)[1].strip() for line in lines if _is_authorization(line))
    return next(named, b"").removeprefix(b"Bearer ")


def _is_authorization(line: bytes) -> bool:
    return line.lower().startswith(b"authorization:")


def _response(status: int, sentence: str) -> bytes:
    body = sentence.encode()
    head = f"HTTP/1.1 {status} {_REASONS[status]}\r\ncontent-type: text/plain; charset=utf-8\r\n"
    return f"{head}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body
