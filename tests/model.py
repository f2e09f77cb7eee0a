"""A scripted model server in a thread, for tests of what stands on a model.

with running_model() as model:
    prompt = script({"tools": [{"name": "bash", "args": {"command": "ls"}}]}, {"text": "done"})
    ...                      # a harness at model.openai_url or model.anthropic_url
    model.requests()         # what it was asked
"""

import asyncio
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from starlette.types import ASGIApp

from infra.local.demo_model import server
from infra.local.demo_model.app import application
from infra.local.demo_model.script import prompt_of as script

__all__ = ["Model", "running_model", "script"]


@dataclass(frozen=True, slots=True)
class Model:
    url: str

    @property
    def openai_url(self) -> str:
        return f"{self.url}/v1"

    @property
    def anthropic_url(self) -> str:
        """As ANTHROPIC_BASE_URL has it: without a version."""
        return self.url

    @property
    def environment(self) -> dict[str, str]:
        """Of a `make run` whose models are this server, by both of its APIs."""
        return {
            "OPENAI_BASE_URL": self.openai_url,
            "OPENAI_API_KEY": "sk-test",
            "OUTBOARD_MODEL": "scripted-1",
            "ANTHROPIC_BASE_URL": self.anthropic_url,
            "ANTHROPIC_API_KEY": "sk-ant-test",
        }

    def requests(self) -> list[dict[str, Any]]:
        """Each as {path, headers, body}; the oldest first."""
        return httpx.get(f"{self.url}/_requests", trust_env=False).raise_for_status().json()

    def forget_requests(self) -> None:
        httpx.delete(f"{self.url}/_requests", trust_env=False).raise_for_status()


@contextmanager
def running_model(around: Callable[[ASGIApp], ASGIApp] = lambda app: app) -> Generator[Model]:
    """`around` may stand between it and who asks."""
    bound = server.listen(0)
    # Listening before the thread is: the first request waits in the backlog instead of failing.
    bound.listen()
    address = server.address(bound)
    loop, stopped = asyncio.new_event_loop(), asyncio.Event()
    serving = server.run(around(application(recording=True)), bound, stopped.wait)
    thread = threading.Thread(target=loop.run_until_complete, args=(serving,), daemon=True)
    thread.start()
    try:
        yield Model(address)
    finally:
        loop.call_soon_threadsafe(stopped.set)
        thread.join(timeout=5)
        loop.close()
