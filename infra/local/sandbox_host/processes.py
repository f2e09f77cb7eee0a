"""envd's process service: commands started, listened to, signalled and fed."""

import asyncio
import base64
import errno
import signal
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Any, Literal

from pydantic import Base64Bytes, BaseModel, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from infra.local.sandbox_host import command as commands
from infra.local.sandbox_host import connect_rpc
from infra.local.sandbox_host.command import Command, Exit, Heard, Output
from infra.local.sandbox_host.connect_rpc import frame, last_frame
from infra.local.sandbox_host.machine import HOME
from infra.local.sandbox_host.refusals import Malformed, NotOffered
from infra.local.sandbox_host.requests import running_sandbox
from infra.local.sandbox_host.running import Running

_INPUT_SECONDS = 60.0


class Selector(BaseModel):
    pid: int | None = None
    tag: str | None = None

    def find(self, running: Running) -> Command:
        for command in running.commands.values():
            if self.pid == command.pid or (self.tag and self.tag == command.request.tag):
                return command
        raise ProcessLookupError(errno.ESRCH, f"no command {self.pid or self.tag!r}")


class Configuration(BaseModel):
    cmd: str
    args: Sequence[str] = ()
    envs: dict[str, str] = Field(default_factory=dict)
    cwd: str | None = None


class Start(BaseModel):
    process: Configuration
    tag: str | None = None
    stdin: bool = True
    pty: dict[str, Any] | None = None


class OfProcess(BaseModel):
    process: Selector


class SendSignal(OfProcess):
    signal: Literal["SIGNAL_SIGTERM", "SIGNAL_SIGKILL"]


class Input(BaseModel):
    stdin: Base64Bytes | None = None


class SendInput(OfProcess):
    input: Input


async def start(request: Request) -> Response:
    running = running_sandbox(request)
    asked = await connect_rpc.streamed(request, Start)
    if asked.pty is not None:
        return _failed_stream("unimplemented", "this host offers no terminals")
    process = asked.process
    try:
        command = await running.start(
            commands.Request(
                command=[process.cmd, *process.args],
                environment=running.environment | process.envs,
                own_environment=process.envs,
                directory=process.cwd or HOME,
                takes_input=asked.stdin,
                tag=asked.tag,
            )
        )
    except OSError as error:
        return _failed_stream("invalid_argument", connect_rpc.message_of(error))
    # As at the real provider, the time of the request is the time of the command.
    if time := _header_number(request, "connect-timeout-ms"):
        running.kill_after(command, timedelta(milliseconds=time))
    return CommandStream(command, request)


async def connect(request: Request) -> Response:
    running = running_sandbox(request)
    asked = await connect_rpc.streamed(request, OfProcess)
    try:
        return CommandStream(asked.process.find(running), request)
    except OSError as error:
        return _failed_stream(connect_rpc.code_of(error), connect_rpc.message_of(error))


async def list_commands(request: Request) -> Response:
    found = running_sandbox(request).commands.values()
    return JSONResponse({"processes": [_listed(command) for command in found]})


async def send_signal(request: Request) -> Response:
    running = running_sandbox(request)
    asked = await connect_rpc.unary(request, SendSignal)
    number = signal.Signals[asked.signal.removeprefix("SIGNAL_")]
    await running.signal(asked.process.find(running), number)
    return JSONResponse({})


async def send_input(request: Request) -> Response:
    running = running_sandbox(request)
    asked = await connect_rpc.unary(request, SendInput)
    if asked.input.stdin is None:
        raise NotOffered("this host offers no terminals")
    try:
        async with asyncio.timeout(_INPUT_SECONDS):
            await asked.process.find(running).write(asked.input.stdin)
    except TimeoutError:
        return connect_rpc.failure("deadline_exceeded", "the command does not read its input")
    return JSONResponse({})


async def close_input(request: Request) -> Response:
    running = running_sandbox(request)
    asked = await connect_rpc.unary(request, OfProcess)
    asked.process.find(running).close_input()
    return JSONResponse({})


class CommandStream(StreamingResponse):
    """What a command says, until it ends or the client has heard enough."""

    def __init__(self, command: Command, request: Request) -> None:
        self._command = command
        # At once, and not when the response begins: what is said until then must not be missed.
        self._queue = command.listen()
        ping = _header_number(request, "keepalive-ping-interval")
        super().__init__(
            _frames(command.pid, self._queue, ping), media_type=connect_rpc.STREAM_TYPE
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._command.dismiss(self._queue)


async def _frames(pid: int, queue: asyncio.Queue[Heard], ping: int | None) -> AsyncIterator[bytes]:
    yield _event("start", {"pid": pid})
    while True:
        try:
            async with asyncio.timeout(ping):
                heard = await queue.get()
        except TimeoutError:
            yield _event("keepalive", {})
            continue
        match heard:
            case Output():
                yield _event("data", {heard.stream: _encoded(heard.data)})
            case Exit():
                for last in _ending(heard):
                    yield last
                return


def _ending(heard: Exit) -> Sequence[bytes]:
    if heard.overdue:
        return (last_frame("deadline_exceeded", "the command's time was up"),)
    if heard.code is None:
        return (last_frame("unavailable", "the sandbox ended before its command did"),)
    return _event("end", _ended(heard.code)), last_frame()


def _ended(code: int) -> dict[str, Any]:
    """In the words of Go's ProcessState, which the real one passes on."""
    if code >= 0:
        status = f"exit status {code}"
        failed = {"error": status} if code else {}
        return {"exitCode": code, "exited": True, "status": status, **failed}
    status = f"signal: {(signal.strsignal(-code) or str(-code)).lower()}"
    return {"exitCode": -1, "exited": False, "status": status, "error": status}


def _listed(command: Command) -> dict[str, Any]:
    program, *arguments = command.request.command
    configuration = {
        "cmd": program,
        "args": arguments,
        "envs": command.request.own_environment,
        "cwd": command.request.directory,
    }
    tag = {"tag": command.request.tag} if command.request.tag else {}
    return {"pid": command.pid, "config": configuration, **tag}


def _event(kind: str, fields: dict[str, Any]) -> bytes:
    return frame({"event": {kind: fields}})


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _failed_stream(code: str, message: str) -> Response:
    return Response(last_frame(code, message), media_type=connect_rpc.STREAM_TYPE)


def _header_number(request: Request, name: str) -> int | None:
    text = request.headers.get(name)
    if text is None:
        return None
    if not text.isdecimal():
        raise Malformed(f"the header {name} must be a number")
    return int(text) or None


ROUTES = [
    Route(f"/process.Process/{method}", endpoint, methods=["POST"])
    for method, endpoint in (
        ("Start", start),
        ("Connect", connect),
        ("List", list_commands),
        ("SendSignal", send_signal),
        ("SendInput", send_input),
        ("CloseStdin", close_input),
    )
]
