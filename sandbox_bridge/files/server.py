"""The server over HTTP: a prompt's images fetched; screenshots and what has changed handed in."""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final

import httpx
from pydantic import BaseModel, ValidationError

from sandbox_bridge.harness.seam import TurnFile
from sandbox_bridge.version import VERSION
from sandbox_bridge.wire.dialing import is_loopback
from shared.domain.attachment import PART_BYTES, parts_of
from shared.protocol.attachments import (
    Attached,
    AttachmentView,
    NewAttachment,
    NewScreenshot,
    ScreenshotTaken,
)
from shared.protocol.bridge import Identity
from shared.protocol.change_bundles import ChangesTaken, NewChanges
from shared.protocol.pull_requests import NewPullRequest, PullRequestOutcome

_PAUSES: Final = tuple(timedelta(seconds=seconds) for seconds in (0.3, 1, 3, 6))
_TIMEOUT: Final = httpx.Timeout(35, connect=10)
_BYTES: Final = {"content-type": "application/octet-stream"}
_JSON: Final = {"content-type": "application/json"}


class FileFailed(Exception):
    """Carries one sentence."""


class Files:
    def __init__(self, identity: Identity, pauses: Sequence[timedelta] = _PAUSES) -> None:
        self._url = identity.api_url
        self._token = identity.token
        self._pauses = pauses

    @property
    def exist(self) -> bool:
        """An older server has none."""
        return bool(self._url)

    async def fetch(self, attached: Sequence[Attached]) -> tuple[TurnFile, ...]:
        """All of them, in order. Raises `FileFailed`."""
        if not attached:
            return ()
        async with self._asking() as http:
            return tuple([await self._fetched(http, file) for file in attached])

    async def hand_in(self, file: NewAttachment, content: bytes, title: str) -> ScreenshotTaken:
        """Raises `FileFailed`."""
        async with self._asking() as http:
            begun = _read(AttachmentView, await self._ask(http, "POST", "/attachments", json=file))
            for part in range(parts_of(len(content))):
                piece = content[part * PART_BYTES : (part + 1) * PART_BYTES]
                path = f"/attachments/{begun.id}/parts/{part}"
                await self._ask(http, "PUT", path, content=piece, headers=_BYTES)
            await self._ask(http, "POST", f"/attachments/{begun.id}/complete")
            handed = NewScreenshot(attachment=begun.id, title=title)
            return _read(ScreenshotTaken, await self._ask(http, "POST", "/artifacts", json=handed))

    async def open_pull_request(self, asked: NewPullRequest) -> PullRequestOutcome:
        """Raises `FileFailed`."""
        async with self._asking() as http:
            answer = await self._ask(http, "POST", "/pull-requests", json=asked)
            return _read(PullRequestOutcome, answer)

    async def hand_in_changes(self, new: NewChanges) -> ChangesTaken:
        """Raises `FileFailed`."""
        content = new.model_dump_json(by_alias=True).encode()
        async with self._asking() as http:
            answer = await self._ask(http, "PUT", "/changes", content=content, headers=_JSON)
        return _read(ChangesTaken, answer)

    def _asking(self) -> AbstractAsyncContextManager[httpx.AsyncClient]:
        if not self._url:
            raise FileFailed("the server did not say where its files are")
        return httpx.AsyncClient(
            base_url=f"{self._url}/sandbox",
            headers={
                "authorization": f"Bearer {self._token}",
                "user-agent": f"outboard-bridge/{VERSION}",
            },
            timeout=_TIMEOUT,
            trust_env=not is_loopback(self._url),
        )

    async def _fetched(self, http: httpx.AsyncClient, file: Attached) -> TurnFile:
        try:
            parts = [
                await self._ask(http, "GET", f"/attachments/{file.id}/parts/{part}")
                for part in range(parts_of(file.size))
            ]
        except FileFailed as error:
            raise FileFailed(f"the image {file.name} could not be fetched: {error}") from error
        content = b"".join(parts)
        if len(content) != file.size:
            raise FileFailed(f"the image {file.name} did not come whole")
        return TurnFile(file.name, file.type, content)

    async def _ask(
        self,
        http: httpx.AsyncClient,
        method: str,
        path: str,
        *,
        json: BaseModel | None = None,
        **given: Any,
    ) -> bytes:
        """Asked again while nobody answers; all of it may be asked twice."""
        body = None if json is None else json.model_dump(mode="json", by_alias=True)
        problem = ""
        for pause in (*self._pauses, None):
            try:
                response = await http.request(method, path, json=body, **given)
            except httpx.HTTPError as error:
                problem = type(error).__name__
            else:
                if response.is_success:
                    return response.content
                problem = _said(response)
                if not _may_pass(response):
                    break
            if pause is not None:
                await asyncio.sleep(pause.total_seconds())
        raise FileFailed(problem)


def _may_pass(response: httpx.Response) -> bool:
    again = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.REQUEST_TIMEOUT}
    return response.is_server_error or response.status_code in again


def _said(response: httpx.Response) -> str:
    try:
        return str(response.json()["message"])
    except (ValueError, KeyError, TypeError):
        return f"the server answered {response.status_code}"


def _read[M: BaseModel](kind: type[M], content: bytes) -> M:
    try:
        return kind.model_validate_json(content)
    except ValidationError as error:
        raise FileFailed("the server answers in words that this sandbox does not know") from error
