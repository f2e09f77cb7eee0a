"""The wire of `POST /v1/chat/completions`, which most self-hosted models speak."""

import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

from infra.local.demo_model.conversation import Conversation, Offered, Turn, flat, offered
from infra.local.demo_model.reply import Reply, ToolCall
from infra.local.demo_model.wire import Body, frame


class OpenAIChat:
    def conversation(self, body: Body) -> Conversation:
        turns = (_turn(message) for message in body["messages"])
        tools = tuple(_offered(tool["function"]) for tool in body.get("tools") or ())
        return Conversation(str(body["model"]), tuple(filter(None, turns)), tools)

    def whole(self, model: str, reply: Reply) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": reply.text}
        if reply.tools:
            message["tool_calls"] = [_call(call) for call in reply.tools]
        return {
            "id": "chatcmpl-scripted",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": _finish(reply)}],
            "usage": _usage(reply),
        }

    def opening(self, model: str, reply: Reply) -> Iterator[bytes]:  # noqa: ARG002 - the wire's shape
        yield _chunk(model, {"role": "assistant", "content": ""})

    def words(self, model: str, reply: Reply) -> Iterator[bytes]:
        for piece in reply.pieces(reply.thinking):
            yield _chunk(model, {"reasoning_content": piece})
        for piece in reply.pieces(reply.text):
            yield _chunk(model, {"content": piece})

    def closing(self, model: str, reply: Reply) -> Iterator[bytes]:
        for index, call in enumerate(reply.tools):
            yield _chunk(model, {"tool_calls": [{"index": index, **_call(call)}]})
        yield _chunk(model, {}, finish=_finish(reply), usage=_usage(reply))
        yield b"data: [DONE]\n\n"

    def refusal(self, status: int, message: str) -> dict[str, Any]:
        return {"error": {"message": message, "type": "scripted_error", "code": str(status)}}


def _turn(message: Mapping[str, Any]) -> Turn | None:
    role = message["role"]
    if role in ("user", "assistant", "tool"):
        return Turn(role, flat(message.get("content")))
    return None


def _offered(function: Mapping[str, Any]) -> Offered:
    return offered(function["name"], function.get("parameters"))


def _call(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": json.dumps(call.args)}
    return {"id": call.id, "type": "function", "function": function}


def _finish(reply: Reply) -> str:
    return "tool_calls" if reply.tools else "stop"


def _usage(reply: Reply) -> dict[str, int]:
    return {
        "prompt_tokens": reply.input_tokens,
        "completion_tokens": reply.output_tokens,
        "total_tokens": reply.input_tokens + reply.output_tokens,
    }


def _chunk(
    model: str,
    delta: dict[str, Any],
    *,
    finish: str | None = None,
    usage: dict[str, int] | None = None,
) -> bytes:
    payload: dict[str, Any] = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": model,
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    return frame(payload | ({"usage": usage} if usage else {}))
