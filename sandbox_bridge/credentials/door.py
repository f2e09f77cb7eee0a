"""The socket at which the sandbox's programs ask: one line of JSON in, one out, then it closes.

    {"ask": "git", "url": …, "operation": "read" | "write"}   ─▶ username, password, expires_at
    {"ask": "gh", "repository": "" | URL | [HOST/]OWNER/NAME} ─▶ host, token, expires_at
    {"ask": "erase", "password": …}                           ─▶ nothing

The answer is empty where there is nothing to have, and has a `problem` where it is refused.
"""

import asyncio
import os
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, TypeAdapter, ValidationError

from sandbox_bridge.credentials.asking import NoCredential
from sandbox_bridge.credentials.broker import Broker
from shared.protocol.credentials import GitOperation

SOCKET: Final = "credentials.sock"
_MAX_LINE: Final = 64 * 1024


class _Git(BaseModel):
    ask: Literal["git"]
    url: str
    operation: GitOperation


class _Gh(BaseModel):
    ask: Literal["gh"]
    repository: str = ""


class _Erase(BaseModel):
    ask: Literal["erase"]
    password: str


type _Question = _Git | _Gh | _Erase

_QUESTION: Final[TypeAdapter[_Question]] = TypeAdapter(_Question)
_ANSWER: Final = TypeAdapter(dict[str, Any])


class Door:
    """In `runtime`, which is on a tmpfs; for this user alone."""

    def __init__(self, broker: Broker, runtime: Path) -> None:
        self._broker = broker
        self._runtime = runtime

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[None]:
        self._runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
        server = await asyncio.start_unix_server(
            self._accept, sock=_bound(self._runtime), limit=_MAX_LINE
        )
        try:
            yield
        finally:
            server.close()
            (self._runtime / SOCKET).unlink(missing_ok=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Whoever goes away, or says more than a question can be, has nobody who waits.
        with suppress(ConnectionError, ValueError):
            answer = await self._answer(await reader.readline())
            writer.write(_ANSWER.dump_json(answer) + b"\n")
            await writer.drain()
        writer.close()

    async def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            return await self._found(_QUESTION.validate_json(line))
        except ValidationError:
            return {"problem": "this is nothing that can be asked here"}
        except NoCredential as refusal:
            return {"problem": str(refusal)}

    async def _found(self, question: _Question) -> dict[str, Any]:
        match question:
            case _Git(url=url, operation=operation):
                found = await self._broker.git(url, operation)
                return {} if found is None else found.model_dump(mode="json")
            case _Gh(repository=repository):
                found = await self._broker.gh(repository)
                return {} if found is None else found.model_dump(mode="json")
            case _Erase(password=password):
                self._broker.forget(password)
                return {}


def _bound(directory: Path) -> socket.socket:
    """Listens to nobody before its mode is right.

    By way of a descriptor of the directory: the address of a socket has room for 107 bytes.
    """
    (directory / SOCKET).unlink(missing_ok=True)
    descriptor = os.open(directory, os.O_PATH | os.O_DIRECTORY)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listening.bind(f"/proc/self/fd/{descriptor}/{SOCKET}")
        (directory / SOCKET).chmod(0o600)
    except BaseException:
        listening.close()
        raise
    finally:
        os.close(descriptor)
    return listening
