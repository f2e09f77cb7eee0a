"""Asks the server for credentials, with this attempt's token."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Final, Protocol

import httpx
from pydantic import BaseModel, TypeAdapter, ValidationError

from sandbox_bridge.version import VERSION
from sandbox_bridge.wire.dialing import is_loopback
from shared.protocol.bridge import Identity
from shared.protocol.credentials import (
    GhCredential,
    GitCredential,
    GitOperation,
    NewGhCredential,
    NewGitCredential,
)

_PAUSES: Final = tuple(timedelta(seconds=seconds) for seconds in (0.3, 1, 3))
_TIMEOUT: Final = httpx.Timeout(35, connect=10)

_GIT: Final = TypeAdapter[GitCredential | None](GitCredential | None)
_GH: Final = TypeAdapter[GhCredential | None](GhCredential | None)


class NoCredential(Exception):
    """Carries one sentence, for whoever reads what git says."""


class Ask(Protocol):
    async def git(
        self, url: str, operation: GitOperation, refused: str | None
    ) -> GitCredential | None:
        """None: git needs none there. `refused`: the digest of what the host no longer took.

        Raises `NoCredential`.
        """
        ...

    async def gh(self, url: str | None) -> GhCredential | None:
        """None: the session has nothing on GitHub. Raises `NoCredential`."""
        ...


class Server:
    """An `Ask`."""

    def __init__(self, identity: Identity, pauses: Sequence[timedelta] = _PAUSES) -> None:
        self._url = identity.api_url
        self._token = identity.token
        self._pauses = pauses

    async def git(
        self, url: str, operation: GitOperation, refused: str | None
    ) -> GitCredential | None:
        asked = NewGitCredential(url=url, operation=operation, refused=refused)
        return _read(_GIT, await self._post("git-credentials", asked))

    async def gh(self, url: str | None) -> GhCredential | None:
        return _read(_GH, await self._post("gh-credentials", NewGhCredential(url=url)))

    async def _post(self, path: str, asked: BaseModel) -> bytes:
        """Asked again while nobody answers."""
        body = asked.model_dump(mode="json", by_alias=True)
        problem = ""
        async with self._client() as http:
            for pause in (*self._pauses, None):
                try:
                    response = await http.post(path, json=body)
                except httpx.HTTPError as error:
                    problem = f"it does not answer ({type(error).__name__})"
                else:
                    if response.is_success:
                        return response.content
                    problem = _said(response)
                    if not response.is_server_error:
                        break
                if pause is not None:
                    await asyncio.sleep(pause.total_seconds())
        raise NoCredential(f"the server gave no credentials: {problem}")

    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            base_url=f"{self._url}/sandbox/",
            headers={
                "authorization": f"Bearer {self._token}",
                "user-agent": f"outboard-bridge/{VERSION}",
            },
            timeout=_TIMEOUT,
            trust_env=not is_loopback(self._url),
        )


def _said(response: httpx.Response) -> str:
    with suppress(ValueError, KeyError, TypeError):
        return str(response.json()["message"])
    return f"it answered {response.status_code}"


def _read[T](kind: TypeAdapter[T], content: bytes) -> T:
    try:
        return kind.validate_json(content)
    except ValidationError:
        # Not the cause: its text has a part of what was read.
        raise NoCredential("the server answers in words that this sandbox does not know") from None
