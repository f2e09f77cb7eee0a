"""OpenCode's HTTP interface, as far as the harness uses it."""

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from http import HTTPStatus
from typing import Any, Final

import httpx
from pydantic import ValidationError

from sandbox_bridge.harness.opencode.wire import Event
from sandbox_bridge.harness.seam import HarnessFailed

# OpenCode says a heartbeat every 10 s; three missed ones are a dead connection.
_SILENCE: Final = 32.0
_ANSWER: Final = 20.0
_LOADED: Final = 120.0
_EXCERPT: Final = 500


class Unreachable(Exception):
    """The server, or the connection to it, is gone."""


class NotThere(HarnessFailed):
    """OpenCode knows no such thing."""


class Api:
    """Raises Unreachable when there is no answer and HarnessFailed when it is a refusal."""

    def __init__(self, url: str, password: str, workdir: str) -> None:
        self._http = httpx.AsyncClient(
            base_url=url,
            auth=("opencode", password),
            headers={"x-opencode-directory": workdir},
            timeout=_ANSWER,
            # It is on loopback, whatever proxy the sandbox has.
            trust_env=False,
        )

    async def close(self) -> None:
        await self._http.aclose()

    async def load(self) -> None:
        """Returns when this folder's configuration and plugins are loaded."""
        await self._ask("GET", "/config/providers", timeout=_LOADED)

    async def create_session(self, title: str) -> str:
        """With a title of ours, no model is asked for one."""
        return str((await self._ask("POST", "/session", json={"title": title}))["id"])

    async def has_session(self, session: str) -> bool:
        try:
            await self._ask("GET", f"/session/{session}")
        except NotThere:
            return False
        return True

    async def prompt(self, session: str, body: dict[str, Any]) -> None:
        await self._ask("POST", f"/session/{session}/prompt_async", json=body)

    async def abort(self, session: str) -> None:
        """Answers when the session has come to rest."""
        await self._ask("POST", f"/session/{session}/abort")

    async def is_idle(self, session: str) -> bool:
        statuses = await self._ask("GET", "/session/status")
        return statuses.get(session, {"type": "idle"})["type"] == "idle"

    async def messages(self, session: str, limit: int) -> list[dict[str, Any]]:
        """The last ones, each as {info, parts}."""
        return await self._ask("GET", f"/session/{session}/message", params={"limit": limit})

    async def allow(self, permission: str) -> None:
        """Nothing to do when it was answered before."""
        with contextlib.suppress(HarnessFailed):
            await self._ask("POST", f"/permission/{permission}/reply", json={"reply": "once"})

    async def reject_question(self, question: str) -> None:
        with contextlib.suppress(HarnessFailed):
            await self._ask("POST", f"/question/{question}/reject")

    @asynccontextmanager
    async def events(self) -> AsyncGenerator[AsyncIterator[Event]]:
        """A stream that is open when this is entered: nothing said from then on is missed."""
        timeout = httpx.Timeout(_ANSWER, read=_SILENCE)
        try:
            async with self._http.stream("GET", "/event", timeout=timeout) as response:
                if response.is_error:
                    await response.aread()
                _check(response)
                async with aclosing(_events(response)) as events:
                    yield events
        except httpx.HTTPError as error:
            raise Unreachable(str(error) or type(error).__name__) from error

    async def _ask(self, method: str, path: str, **given: Any) -> Any:
        if self._http.is_closed:
            raise Unreachable("opencode was ended")
        try:
            response = await self._http.request(method, path, **given)
        except httpx.HTTPError as error:
            raise Unreachable(str(error) or type(error).__name__) from error
        _check(response)
        return response.json() if response.content else None


async def _events(response: httpx.Response) -> AsyncGenerator[Event]:
    async for line in response.aiter_lines():
        if line.startswith("data:") and (event := _event(line.removeprefix("data:"))):
            yield event


def _event(data: str) -> Event | None:
    """None for what can't be read: the line that a broken connection cut through."""
    try:
        return Event.model_validate_json(data)
    except ValidationError:
        return None


def _check(response: httpx.Response) -> None:
    if response.is_error:
        path, said = response.request.url.path, response.text[:_EXCERPT]
        failed = NotThere if response.status_code == HTTPStatus.NOT_FOUND else HarnessFailed
        raise failed(f"opencode answered {response.status_code} to {path}: {said}")
