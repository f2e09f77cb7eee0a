"""What the agents of the tests do, said beforehand: people ask for it in words, not in scripts."""

import asyncio
import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from infra.local.demo_model.openai_chat import OpenAIChat
from tests.model import Model, running_model, script

CHAT = "/v1/chat/completions"
PATIENCE = 120.0

type Step = dict[str, Any]


@dataclass(frozen=True)
class _Part:
    script: str
    waits_before: int | None
    may_go_on: Event = field(default_factory=Event)


@dataclass
class Agent:
    """Stands before the scripted model, and puts the script behind what was asked."""

    _parts: dict[str, _Part] = field(default_factory=dict[str, _Part])

    def will(self, asked: str, *steps: Step, waits_before: int | None = None) -> str:
        """Its replies to `asked`, which it returns; the given one comes when it may go on."""
        self._parts[asked] = _Part(script(*steps, text=""), waits_before)
        return asked

    def go_on(self, asked: str) -> None:
        self._parts[asked].may_go_on.set()

    def rest(self) -> None:
        """Nothing of one test waits beside the next."""
        for part in self._parts.values():
            part.may_go_on.set()

    def directing(self, app: ASGIApp) -> ASGIApp:
        async def directed(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http" and scope["path"] == CHAT:
                receive = _again(await self._directed(await _body(receive)), receive)
            await app(scope, receive, send)

        return directed

    async def _directed(self, body: bytes) -> bytes:
        conversation = OpenAIChat().conversation(json.loads(body))
        text = body.decode()
        for asked, part in self._parts.items():
            if asked not in conversation.prompt or not conversation.tools:
                continue
            if part.waits_before == conversation.replies:
                await asyncio.to_thread(part.may_go_on.wait, PATIENCE)
            text = text.replace(_quoted(asked), _quoted(f"{asked} {part.script}"))
        return text.encode()


@contextmanager
def ready() -> Generator[tuple[Agent, Model]]:
    agent = Agent()
    with running_model(agent.directing) as model:
        yield agent, model


def call(tool: str, text: str = "", **arguments: Any) -> Step:
    """A reply that uses a tool of OpenCode."""
    return {"text": text, "tools": [{"name": tool, "args": arguments}]}


def command(line: str, what: str = "as asked") -> Step:
    return call("bash", command=line, description=what)


def _quoted(text: str) -> str:
    """As it stands inside a string of JSON, in ASCII or not."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


async def _body(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    return body


def _again(body: bytes, receive: Receive) -> Receive:
    """The request's body once more, and then whatever comes."""
    told = False

    async def receive_again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again
