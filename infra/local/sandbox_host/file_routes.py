"""envd's files: whole ones over plain HTTP, everything else as the filesystem service."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import PurePosixPath
from typing import Any

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from infra.local.sandbox_host import connect_rpc, multipart
from infra.local.sandbox_host.channel import Channel
from infra.local.sandbox_host.inside.files import absolute
from infra.local.sandbox_host.refusals import Malformed, NotOffered
from infra.local.sandbox_host.requests import body, chunks, running_sandbox

MOST_STREAMED_BYTES = 4 << 30
MOST_FORM_BYTES = 64 << 20
"""A form is held in memory; larger files come as a stream, which the SDK does by itself."""

_CHUNK = 256 * 1024


class AtPath(BaseModel):
    path: str


class ListDirectory(AtPath):
    depth: int = 1


class Move(BaseModel):
    source: str
    destination: str


async def health(request: Request) -> Response:
    running_sandbox(request)
    return Response(status_code=204)


async def read(request: Request) -> Response:
    channel = running_sandbox(request).guest.channel
    return FileStream(await channel.open("open_for_reading", _path(request)))


async def write(request: Request) -> Response:
    channel = running_sandbox(request).guest.channel
    kind = request.headers.get("content-type", "")
    if kind.startswith("multipart/form-data"):
        return JSONResponse(await _write_form(channel, request, kind))
    if not kind.startswith("application/octet-stream"):
        raise Malformed("a file is written as multipart/form-data or application/octet-stream")
    if request.headers.get("content-encoding", "identity") != "identity":
        raise NotOffered("this host takes files as they are, not compressed")
    content = chunks(request, MOST_STREAMED_BYTES)
    return JSONResponse([await _write(channel, _path(request), content)])


class FileStream(StreamingResponse):
    """A file opened inside the sandbox, read here; closed whatever becomes of the client."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        super().__init__(_contents(descriptor), media_type="application/octet-stream")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            os.close(self._descriptor)


async def _contents(descriptor: int) -> AsyncIterator[bytes]:
    while chunk := await asyncio.to_thread(os.read, descriptor, _CHUNK):
        yield chunk


async def _write_form(channel: Channel, request: Request, kind: str) -> list[dict[str, Any]]:
    form = multipart.parts(kind, await body(request, MOST_FORM_BYTES))
    named = request.query_params.get("path")
    if not form or (named and len(form) > 1):
        raise Malformed("a form holds one file for its path, or files that name their own")
    return [
        await _write(channel, named or part.filename or "", _once(part.content)) for part in form
    ]


async def _write(channel: Channel, path: str, content: AsyncIterator[bytes]) -> dict[str, Any]:
    descriptor = await channel.open("open_for_writing", path)
    try:
        async for chunk in content:
            await asyncio.to_thread(_write_all, descriptor, chunk)
    finally:
        os.close(descriptor)
    return {"name": PurePosixPath(path).name, "type": "file", "path": absolute(path)}


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _path(request: Request) -> str:
    path = request.query_params.get("path")
    if not path:
        raise Malformed("the query must name a path")
    return path


def _operation(do: str, model: type[BaseModel]) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        channel = running_sandbox(request).guest.channel
        asked = await connect_rpc.unary(request, model)
        answer, _ = await channel.ask(do, **asked.model_dump())
        return JSONResponse({name: value for name, value in answer.items() if name != "id"})

    return handle


ROUTES = [
    Route("/health", health),
    Route("/files", read),
    Route("/files", write, methods=["POST"]),
    *(
        Route(f"/filesystem.Filesystem/{method}", _operation(do, model), methods=["POST"])
        for method, do, model in (
            ("Stat", "entry", AtPath),
            ("ListDir", "entries", ListDirectory),
            ("MakeDir", "make_directory", AtPath),
            ("Remove", "remove", AtPath),
            ("Move", "move", Move),
        )
    ),
]
