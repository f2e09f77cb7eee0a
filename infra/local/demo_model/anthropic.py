"""The wire of `POST /v1/messages`."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from infra.local.demo_model.conversation import Conversation, Turn, flat, offered
from infra.local.demo_model.reply import Reply, ToolCall
from infra.local.demo_model.wire import Body, frame


class AnthropicMessages:
    def conversation(self, body: Body) -> Conversation:
        turns = (turn for message in body["messages"] for turn in _turns(message))
        tools = (
            offered(tool["name"], tool.get("input_schema")) for tool in body.get("tools") or ()
        )
        return Conversation(str(body["model"]), tuple(turns), tuple(tools))

    def whole(self, model: str, reply: Reply) -> dict[str, Any]:
        content: list[dict[str, Any]] = [{"type": "text", "text": reply.text}] if reply.text else []
        content += [{**_tool_use(call), "input": call.args} for call in reply.tools]
        return _message(model, reply) | {"content": content, "stop_reason": _stop(reply)}

    def opening(self, model: str, reply: Reply) -> Iterator[bytes]:
        yield _event("message_start", message=_message(model, reply))

    def words(self, model: str, reply: Reply) -> Iterator[bytes]:  # noqa: ARG002 - the wire's shape
        if reply.thinking:
            yield _start(0, {"type": "thinking", "thinking": "", "signature": ""})
            for piece in reply.pieces(reply.thinking):
                yield _delta(0, {"type": "thinking_delta", "thinking": piece})
            yield _delta(0, {"type": "signature_delta", "signature": "c2NyaXB0ZWQ="})
            yield _event("content_block_stop", index=0)
        if reply.text:
            index = _blocks_before_text(reply)
            yield _start(index, {"type": "text", "text": ""})
            for piece in reply.pieces(reply.text):
                yield _delta(index, {"type": "text_delta", "text": piece})

    def closing(self, model: str, reply: Reply) -> Iterator[bytes]:  # noqa: ARG002 - the wire's shape
        index = _blocks_before_text(reply)
        if reply.text:
            yield _event("content_block_stop", index=index)
            index += 1
        for at, call in enumerate(reply.tools, start=index):
            yield _start(at, {**_tool_use(call), "input": {}})
            yield _delta(at, {"type": "input_json_delta", "partial_json": json.dumps(call.args)})
            yield _event("content_block_stop", index=at)
        stop = {"stop_reason": _stop(reply), "stop_sequence": None}
        yield _event("message_delta", delta=stop, usage={"output_tokens": reply.output_tokens})
        yield _event("message_stop")

    def refusal(self, status: int, message: str) -> dict[str, Any]:
        kind = "rate_limit_error" if status == 429 else "api_error"  # noqa: PLR2004 - HTTP's own number
        return {"type": "error", "error": {"type": kind, "message": message}}


def _turns(message: Mapping[str, Any]) -> Iterator[Turn]:
    """Results of tools come in a user message, which may go on with what the user says next."""
    content = message["content"]
    parts: list[Mapping[str, Any]] = (
        [{"type": "text", "text": content}] if isinstance(content, str) else content
    )
    if message["role"] == "assistant":
        yield Turn("assistant", flat([part for part in parts if part["type"] == "text"]))
        return
    for part in parts:
        if part["type"] == "tool_result":
            yield Turn("tool", flat(part.get("content")))
        elif part["type"] == "text":
            yield Turn("user", str(part["text"]))


def _tool_use(call: ToolCall) -> dict[str, Any]:
    return {"type": "tool_use", "id": call.id, "name": call.name}


def _blocks_before_text(reply: Reply) -> int:
    return 1 if reply.thinking else 0


def _stop(reply: Reply) -> str:
    return "tool_use" if reply.tools else "end_turn"


def _message(model: str, reply: Reply) -> dict[str, Any]:
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {
            "input_tokens": reply.input_tokens,
            "output_tokens": reply.output_tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
    }


def _event(kind: str, **fields: Any) -> bytes:
    return frame({"type": kind, **fields}, event=kind)


def _start(index: int, block: dict[str, Any]) -> bytes:
    return _event("content_block_start", index=index, content_block=block)


def _delta(index: int, delta: dict[str, Any]) -> bytes:
    return _event("content_block_delta", index=index, delta=delta)
