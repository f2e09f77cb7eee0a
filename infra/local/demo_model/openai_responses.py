"""The wire of `POST /v1/responses`, which OpenAI's own models are asked on."""

import itertools
import json
from collections.abc import Iterator, Mapping
from typing import Any

from infra.local.demo_model.conversation import Conversation, Turn, flat, offered
from infra.local.demo_model.reply import Reply, ToolCall
from infra.local.demo_model.wire import Body, frame


class OpenAIResponses:
    def conversation(self, body: Body) -> Conversation:
        said = body["input"]
        items: list[Mapping[str, Any]] = (
            [{"role": "user", "content": said}] if isinstance(said, str) else said
        )
        tools = (
            offered(tool["name"], tool.get("parameters"))
            for tool in body.get("tools") or ()
            if tool["type"] == "function"
        )
        return Conversation(str(body["model"]), tuple(_turns(items)), tuple(tools))

    def whole(self, model: str, reply: Reply) -> dict[str, Any]:
        return _response(model, "completed", _items(reply)) | {"usage": _usage(reply)}

    def opening(self, model: str, reply: Reply) -> Iterator[bytes]:  # noqa: ARG002 - the wire's shape
        yield _event("response.created", response=_response(model, "in_progress", []))

    def words(self, model: str, reply: Reply) -> Iterator[bytes]:  # noqa: ARG002 - the wire's shape
        if reply.text:
            opened = _message("", "in_progress")
            yield _event("response.output_item.added", output_index=0, item=opened)
            for piece in reply.pieces(reply.text):
                at = {"item_id": opened["id"], "output_index": 0, "content_index": 0}
                yield _event("response.output_text.delta", **at, delta=piece)

    def closing(self, model: str, reply: Reply) -> Iterator[bytes]:
        for index, item in enumerate(_items(reply)):
            if item["type"] == "function_call":
                yield _event("response.output_item.added", output_index=index, item=item)
            yield _event("response.output_item.done", output_index=index, item=item)
        yield _event("response.completed", response=self.whole(model, reply))

    def refusal(self, status: int, message: str) -> dict[str, Any]:
        return {"error": {"message": message, "type": "scripted_error", "code": str(status)}}


def _turns(items: list[Mapping[str, Any]]) -> Iterator[Turn]:
    """A reply is several items here: neighbours of the assistant are one turn."""
    for role, group in itertools.groupby(items, key=_role):
        if role == "assistant":
            yield Turn("assistant", "\n".join(flat(item.get("content")) for item in group))
        elif role == "tool":
            yield from (Turn("tool", flat(item["output"])) for item in group)
        elif role == "user":
            yield from (Turn("user", flat(item["content"])) for item in group)


def _role(item: Mapping[str, Any]) -> str:
    kind = item.get("type", "message")
    if kind == "message":
        return str(item["role"])
    return "tool" if kind == "function_call_output" else "assistant"


def _items(reply: Reply) -> list[dict[str, Any]]:
    text = [_message(reply.text, "completed")] if reply.text else []
    return text + [_call(call) for call in reply.tools]


def _message(text: str, status: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}] if text else []
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "status": status,
        "content": content,
    }


def _call(call: ToolCall) -> dict[str, Any]:
    return {
        "id": f"fc_{call.id}",
        "type": "function_call",
        "call_id": call.id,
        "name": call.name,
        "arguments": json.dumps(call.args),
        "status": "completed",
    }


def _response(model: str, status: str, output: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": "resp_scripted",
        "object": "response",
        "created_at": 0,
        "status": status,
        "model": model,
        "output": output,
    }


def _usage(reply: Reply) -> dict[str, Any]:
    return {
        "input_tokens": reply.input_tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": reply.output_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": reply.input_tokens + reply.output_tokens,
    }


def _event(kind: str, **fields: Any) -> bytes:
    return frame({"type": kind, **fields}, event=kind)
