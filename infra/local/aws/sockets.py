"""API Gateway's WebSocket behaviour that MiniStack lacks.

A socket is closed with 1001 when nothing has passed for ten minutes or when it is two hours old; a
post of more than 128 KB is refused with 413; a connection that is closed answers 410 at once (not
after half a second in which posts are accepted and lost); a refused `$connect` shows the status
its function gave; and messages of one connection are handled concurrently, in no promised order.
"""

import asyncio
import contextvars
import json
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

from ministack.services import apigateway

from infra.local.aws import emulator
from infra.local.aws.frames import LARGEST_MESSAGE

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"

type Message = dict[str, Any]
type Receive = Callable[[], Awaitable[Message]]
type Send = Callable[[Message], Awaitable[None]]
type Application = Callable[[Any, Receive, Send], Awaitable[None]]

_GOING_AWAY = 1001
# Messages of one connection in flight; the next one is read when one of them is done.
_CONCURRENT = 8

_current: contextvars.ContextVar["Socket | None"] = contextvars.ContextVar("socket", default=None)


class Socket:
    """One WebSocket between the server and the emulator, which sees it end when its time is up."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._closed = asyncio.Event()
        self._active = time.monotonic()
        self._opened = time.monotonic()
        self._accepted = asyncio.Event()
        self.connection_id: str | None = None
        self.refusal = 403
        self.turns = asyncio.Semaphore(_CONCURRENT)

    async def receive(self) -> Message:
        arriving = asyncio.ensure_future(self._receive())
        closed = asyncio.ensure_future(self._closed.wait())
        try:
            await asyncio.wait({arriving, closed}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            closed.cancel()
            if not arriving.done():
                arriving.cancel()
        message = (
            {"type": "websocket.disconnect", "code": _GOING_AWAY}
            if self._closed.is_set()
            else arriving.result()
        )
        self._active = time.monotonic()
        if message["type"] == "websocket.disconnect":
            self.gone()
        return message

    async def send(self, message: Message) -> None:
        if self._closed.is_set():
            return
        if message["type"] == "websocket.close" and not self._accepted.is_set():
            await refuse(self._send, self.refusal, "Forbidden")
            return
        self._active = time.monotonic()
        if message["type"] == "websocket.accept":
            self._opened = self._active
            self._accepted.set()
        await self._send(message)

    async def close_in_time(self, idle: timedelta, lifetime: timedelta) -> None:
        await self._accepted.wait()  # how long `$connect` takes is not counted
        # Sleeps until a moment that moves with every message; there is no event to wait for.
        while (left := self._left(idle, lifetime)) > 0:  # noqa: ASYNC110
            await asyncio.sleep(left)
        await self._send({"type": "websocket.close", "code": _GOING_AWAY})
        self._closed.set()

    def gone(self) -> None:
        """Nothing can be posted any more, and the emulator's outbox ends its wait."""
        connection = apigateway._ws_connections.pop(self.connection_id, None)
        if connection is not None:
            connection["outbox"].put_nowait(None)

    def _left(self, idle: timedelta, lifetime: timedelta) -> float:
        idle_at = self._active + idle.total_seconds()
        return min(idle_at, self._opened + lifetime.total_seconds()) - time.monotonic()


class _Connections(dict[str, Any]):
    """The emulator's register of open connections, which tells each socket its connection's id."""

    def __setitem__(self, connection_id: str, connection: Any) -> None:
        socket = _current.get()
        if socket is not None:
            socket.connection_id = connection_id
        super().__setitem__(connection_id, connection)


def install(application: Application, *, idle: timedelta, lifetime: timedelta) -> Application:
    apigateway._ws_connections = _Connections()
    _handle_messages_concurrently()

    async def limited(scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await _serve(application, scope, Socket(receive, send), idle, lifetime)
        elif too_large(scope):
            await _too_large(send)
        else:
            await application(scope, receive, send)

    return limited


async def _serve(
    application: Application, scope: Any, socket: Socket, idle: timedelta, lifetime: timedelta
) -> None:
    _current.set(socket)
    clock = asyncio.create_task(socket.close_in_time(idle, lifetime))
    try:
        await application(scope, socket.receive, socket.send)
    finally:
        clock.cancel()


def _handle_messages_concurrently() -> None:
    invoke = apigateway._invoke_ws_lambda

    async def invoke_beside(*arguments: Any, **options: Any) -> Any:
        socket, connection_id, event_type = _current.get(), arguments[5], arguments[6]
        if socket is None or event_type != "MESSAGE":
            return _noting_refusal(socket, event_type, await invoke(*arguments, **options))
        await socket.turns.acquire()
        task = asyncio.create_task(_answer(socket, connection_id, invoke(*arguments, **options)))
        _running.add(task)
        task.add_done_callback(_running.discard)
        return None

    apigateway._invoke_ws_lambda = invoke_beside


_running: set[asyncio.Task[None]] = set()
"""Keeps the tasks alive: the loop itself holds them weakly."""


async def _answer(socket: Socket, connection_id: str, invocation: Awaitable[Any]) -> None:
    try:
        answer = await invocation
    finally:
        socket.turns.release()
    connection = apigateway._ws_connections.get(connection_id)
    if connection is not None and answer and answer.get("body"):
        connection["outbox"].put_nowait(str(answer["body"]))


def _noting_refusal(socket: Socket | None, event_type: str, answer: Any) -> Any:
    if socket is not None and event_type == "CONNECT":
        socket.refusal = int((answer or {}).get("statusCode", 403))
    return answer


def too_large(scope: Any) -> bool:
    if scope["type"] != "http" or scope["method"] != "POST":
        return False
    if "/@connections/" not in scope["path"]:
        return False
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(length) > LARGEST_MESSAGE


async def _too_large(send: Send) -> None:
    headers = [
        (b"content-type", b"application/json"),
        (b"x-amzn-errortype", b"PayloadTooLargeException"),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    body = json.dumps({"message": "Payload too large"}).encode()
    await send({"type": "http.response.body", "body": body})


async def refuse(send: Send, status: int, message: str) -> None:
    """Answer a handshake with an HTTP status instead of an upgrade."""
    headers = [(b"content-type", b"application/json")]
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    body = json.dumps({"message": message}).encode()
    await send({"type": "websocket.http.response.body", "body": body})
