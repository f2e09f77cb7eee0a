"""The routes: registering a repository, with the key; cloning and pushing, with its id."""

import hmac
import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from infra.local.repository_host import pushes
from infra.local.repository_host.acting import Actor, GitFailed, acting_on
from infra.local.repository_host.backend import Answer, Asked, BackendFailed, ask
from infra.local.repository_host.local_repository import NotServable, look
from infra.local.repository_host.registry import Registry

_SERVICES = ("git-upload-pack", "git-receive-pack")
_MAX_REGISTRATION = 16 * 1024


def application(registry: Registry, key: str, port: int) -> ASGIApp:
    host = _Host(registry, key, f"http://127.0.0.1:{port}")
    routes = [
        Route("/", host.hello),
        Route("/repositories", host.register, methods=["POST"]),
        Route("/{id}/{name}/info/refs", host.refs),
        Route("/{id}/{name}/git-upload-pack", host.fetch, methods=["POST"]),
        Route("/{id}/{name}/git-receive-pack", host.push, methods=["POST"]),
    ]
    return _OnlyGit(Starlette(routes=routes), port)


class _Host:
    def __init__(self, registry: Registry, key: str, url: str) -> None:
        self._registry = registry
        self._key = key
        self._url = url

    async def hello(self, _: Request) -> Response:
        return PlainTextResponse("Outboard's repository host\n")

    async def register(self, request: Request) -> Response:
        asked = await _registration(request)
        if asked is None:
            return _error(400, "invalid", "path: a JSON object with `path` and `key` is needed")
        path, key = asked
        if not hmac.compare_digest(key.encode(), self._key.encode()):
            return _error(401, "unauthenticated", "the key is not this machine's")
        try:
            return JSONResponse(await run_in_threadpool(self._served, path))
        except NotServable as reason:
            return _error(422, "invalid", str(reason))

    def _served(self, path: str) -> dict[str, Any]:
        found = look(path)
        repository_id = self._registry.add(found.top)
        return {
            "url": f"{self._url}/{repository_id}/{found.name}.git",
            "path": str(found.top),
            "head": found.head,
            "branch": found.branch,
            "dirty": found.dirty,
        }

    async def refs(self, request: Request) -> Response:
        if request.query_params.get("service") not in _SERVICES:
            return PlainTextResponse("only git's smart protocol is spoken here\n", 403)
        return await self._answered(request, "/info/refs", request.stream())

    async def fetch(self, request: Request) -> Response:
        return await self._answered(request, "/git-upload-pack", request.stream())

    async def push(self, request: Request) -> Response:
        if request.headers.get("content-encoding", "identity") != "identity":
            return PlainTextResponse("a push is not compressed a second time\n", 415)
        body = request.stream()
        try:
            push, head = await _head_of(body)
        except pushes.Malformed as error:
            return PlainTextResponse(f"not a push: {error}\n", 400)
        if push.forbidden:
            async for _ in body:
                pass  # git reads no answer before it has sent everything
            media = "application/x-git-receive-pack-result"
            return Response(pushes.refusal(push), media_type=media)
        return await self._answered(request, "/git-receive-pack", _again(head, body))

    async def _answered(self, request: Request, path: str, body: AsyncIterator[bytes]) -> Response:
        top = self._registry.get(request.path_params["id"])
        if top is None:
            return PlainTextResponse("no such repository\n", 404)
        try:
            git_dir = await run_in_threadpool(_git_dir, top)
            asked = Asked(request.method, path, request.url.query, request.headers)
            answer = await ask(git_dir, asked, body)
        except (GitFailed, BackendFailed, OSError):
            return PlainTextResponse("the repository is not there any more\n", 410)
        return _Streamed(answer)


class _Streamed(Response):
    """Starlette's own would read the request meanwhile, to see whether the client is still there,
    and git answers before it has read everything.
    """

    def __init__(self, answer: Answer) -> None:
        super().__init__(None, answer.status)
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - the base's
        given = self._answer.headers.items()
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in given]
        await send({"type": "http.response.start", "status": self.status_code, "headers": headers})
        async with aclosing(self._answer.body) as body:
            async for chunk in body:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body"})


class _OnlyGit:
    """No page in a browser has business here, whatever name it found for this address."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = Request(scope).headers
        if headers.get("host") not in self._hosts or "origin" in headers:
            await PlainTextResponse("not for browsers\n", 403)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _git_dir(top: Path) -> Path:
    actor: Actor = acting_on(top)
    return Path(actor.git(top, "rev-parse", "--absolute-git-dir"))


async def _registration(request: Request) -> tuple[str, str] | None:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_REGISTRATION:
            return None
    try:
        asked = json.loads(body)
    except ValueError:
        return None
    match asked:
        case {"path": str(path), "key": str(key)} if "\0" not in path:
            return path, key
        case _:
            return None


async def _head_of(body: AsyncIterator[bytes]) -> tuple[pushes.Push, bytes]:
    """What the push would change, and all that was read to know it."""
    head = b""
    async for chunk in body:
        head += chunk
        if (push := pushes.read(head)) is not None:
            return push, head
    raise pushes.Malformed("it ends before it has begun")


async def _again(head: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield head
    async for chunk in rest:
        yield chunk


def _error(status: int, code: str, message: str) -> Response:
    return JSONResponse({"code": code, "message": message}, status)
