"""A model's reply before any wire has it, and the pieces that it is streamed in."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from infra.local.demo_model.script import Step


def _call_id() -> str:
    return f"call_{uuid.uuid4().hex[:16]}"


@dataclass(frozen=True, slots=True)
class ToolCall:
    name: str
    args: dict[str, Any]
    id: str = field(default_factory=_call_id)


@dataclass(frozen=True, slots=True)
class Reply:
    """`hang`, `delay` are seconds; `cut` ends the connection where a healthy reply would go on."""

    text: str = ""
    thinking: str = ""
    tools: tuple[ToolCall, ...] = ()
    hang: float = 0.0
    delay: float = 0.0
    chunk: int = 24
    cut: bool = False
    input_tokens: int = 1_000
    output_tokens: int = 50

    def pieces(self, text: str) -> Iterator[str]:
        return (text[at : at + self.chunk] for at in range(0, len(text), self.chunk))


def of(step: Step, *, cut: bool) -> Reply:
    return Reply(
        text=step.text,
        thinking=step.thinking,
        tools=tuple(ToolCall(call.name, call.args) for call in step.tools),
        hang=step.hang,
        delay=step.delay,
        chunk=step.chunk,
        cut=cut,
        input_tokens=step.input_tokens,
        output_tokens=step.output_tokens,
    )
