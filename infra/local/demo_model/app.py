"""The routes of the scripted model server."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from infra.local.demo_model.anthropic import AnthropicMessages
from infra.local.demo_model.journal import Journal
from infra.local.demo_model.openai_chat import OpenAIChat
from infra.local.demo_model.openai_responses import OpenAIResponses
from infra.local.demo_model.player import Player, Refusal
from infra.local.demo_model.reply import Reply
from infra.local.demo_model.wire import Wire

MODEL = "scripted"


class ConnectionCut(Exception):
    """Ends a streamed response without its end, as a dropped connection does."""


def application(*, recording: bool = False) -> Starlette:
    player, journal = Player(), Journal(recording=recording)

    def speaking(wire: Wire) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            return await _answer(wire, request, player, journal)

        return endpoint

    async def requests(request: Request) -> Response:
        if request.method == "DELETE":
            journal.clear()
        return JSONResponse(journal.requests)

    return Starlette(
        routes=[
            Route("/v1/models", _models),
            Route("/v1/chat/completions", speaking(OpenAIChat()), methods=["POST"]),
            Route("/v1/responses", speaking(OpenAIResponses()), methods=["POST"]),
            Route("/v1/messages", speaking(AnthropicMessages()), methods=["POST"]),
            Route("/_requests", requests, methods=["GET", "DELETE"]),
        ]
    )


def _models(_: Request) -> Response:
    model = {"id": MODEL, "object": "model", "created": 0, "owned_by": "outboard"}
    return JSONResponse({"object": "list", "data": [model]})


async def _answer(wire: Wire, request: Request, player: Player, journal: Journal) -> Response:
    try:
        body: dict[str, Any] = await request.json()
        journal.record(request.url.path, dict(request.headers), body)
        conversation = wire.conversation(body)
        reply = player.answer(conversation)
    except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        refusal = wire.refusal(400, f"the scripted model can't read this request: {error!r}")
        return JSONResponse(refusal, status_code=400)
    if isinstance(reply, Refusal):
        return _refused(wire, reply)
    if body.get("stream"):
        return StreamingResponse(
            _stream(wire, conversation.model, reply), media_type="text/event-stream"
        )
    await asyncio.sleep(reply.hang)
    return JSONResponse(wire.whole(conversation.model, reply))


def _refused(wire: Wire, refusal: Refusal) -> Response:
    headers = {} if refusal.retry_after is None else {"retry-after": str(refusal.retry_after)}
    body = wire.refusal(refusal.status, refusal.message)
    return JSONResponse(body, status_code=refusal.status, headers=headers)


async def _stream(wire: Wire, model: str, reply: Reply) -> AsyncIterator[bytes]:
    for frame in wire.opening(model, reply):
        yield frame
    await asyncio.sleep(reply.hang)
    for frame in wire.words(model, reply):
        yield frame
        await asyncio.sleep(reply.delay)
    if reply.cut:
        raise ConnectionCut
    for frame in wire.closing(model, reply):
        yield frame
