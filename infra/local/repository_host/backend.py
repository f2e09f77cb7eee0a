"""One request of a git client, answered by `git http-backend` as a stream in both directions."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from infra.local.repository_host.acting import acting_on

SETTINGS: Final[Mapping[str, str]] = {
    "http.uploadpack": "true",
    "http.receivepack": "true",
    "http.getanyfile": "false",
    "uploadpack.allowFilter": "true",
    "receive.denyCurrentBranch": "refuse",
    "receive.denyDeletes": "true",
    # All sandboxes of a repository have its URL: none shall undo what another has pushed.
    "receive.denyNonFastForwards": "true",
    "receive.fsckObjects": "true",
    "receive.autogc": "false",
    "receive.updateServerInfo": "false",
}
_CHUNK = 64 * 1024


class BackendFailed(Exception):
    """It ended before it had answered."""


@dataclass(frozen=True, slots=True)
class Asked:
    method: str
    path: str
    """Below the repository: `/info/refs`, for one."""
    query: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: AsyncGenerator[bytes]


async def ask(git_dir: Path, asked: Asked, body: AsyncIterator[bytes]) -> Answer:
    """Raises `BackendFailed`."""
    actor = await asyncio.to_thread(acting_on, git_dir)
    process = await asyncio.create_subprocess_exec(
        "git",
        "http-backend",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
        env={**actor.environment(SETTINGS), **_cgi(git_dir, asked)},
        **actor.process(),
    )
    feeding = asyncio.create_task(_feed(process, body))
    try:
        status, headers = await _head(process)
    except BaseException:
        await _end(process, feeding)
        raise
    return Answer(status, headers, _rest(process, feeding))


def _cgi(git_dir: Path, asked: Asked) -> dict[str, str]:
    protocol = asked.headers.get("git-protocol", "")
    return {
        "GIT_PROJECT_ROOT": str(git_dir),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": asked.path,
        "REQUEST_METHOD": asked.method,
        "QUERY_STRING": asked.query,
        "CONTENT_TYPE": asked.headers.get("content-type", ""),
        "HTTP_CONTENT_ENCODING": asked.headers.get("content-encoding", ""),
        "HTTP_GIT_PROTOCOL": protocol,
        "GIT_PROTOCOL": protocol,
        "REMOTE_ADDR": "127.0.0.1",
        "REMOTE_USER": "outboard",
    }


async def _feed(process: asyncio.subprocess.Process, body: AsyncIterator[bytes]) -> None:
    assert process.stdin is not None
    try:
        async for chunk in body:
            process.stdin.write(chunk)
            await process.stdin.drain()
    finally:
        process.stdin.close()


async def _head(process: asyncio.subprocess.Process) -> tuple[int, dict[str, str]]:
    assert process.stdout is not None
    headers: dict[str, str] = {}
    while line := (await process.stdout.readline()).strip():
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    if not headers:
        raise BackendFailed("git http-backend did not answer")
    status, *_ = headers.pop("status", "200").split()
    return int(status), headers


async def _rest(
    process: asyncio.subprocess.Process, feeding: asyncio.Task[None]
) -> AsyncGenerator[bytes]:
    assert process.stdout is not None
    try:
        while chunk := await process.stdout.read(_CHUNK):
            yield chunk
    finally:
        await _end(process, feeding)


async def _end(process: asyncio.subprocess.Process, feeding: asyncio.Task[None]) -> None:
    feeding.cancel()
    # It may have answered before it read everything, and the client may have gone.
    await asyncio.gather(feeding, return_exceptions=True)
    # `git` has started others, and none of them may hold the pipe for ever.
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
