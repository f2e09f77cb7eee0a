"""A tool call of the agent, from the moment the model names the tool to its result."""

from collections.abc import Iterator
from typing import Any, Final

from sandbox_bridge.harness import bounds
from sandbox_bridge.harness.opencode.wire import Part, ToolState
from sandbox_bridge.redaction import Redactor
from sandbox_bridge.redaction.events import tree
from shared.protocol.events import MAX_OUTPUT_CHARS, Tool

_INPUT_BYTES: Final = 4_000
_ERROR_BYTES: Final = 1_500
_TITLE_BYTES: Final = 200
_RANK: Final = {"pending": 0, "running": 1, "completed": 2, "error": 2}


class Calls:
    """Says each change once, and never lets an ended call start again."""

    def __init__(self, prompt: int, redact: Redactor) -> None:
        self._prompt = prompt
        self._redact = redact
        self._said: dict[str, Tool] = {}

    def __bool__(self) -> bool:
        return bool(self._said)

    def see(self, part: Part, *, subtask: bool) -> Iterator[Tool]:
        if part.state is None:
            return
        call = _tool(self._prompt, part, _shown(part.state, self._redact), subtask=subtask)
        known = self._said.get(part.id)
        if known is not None and (known == call or _is_behind(call, known)):
            return
        self._said[part.id] = call
        yield call

    def close(self, reason: str) -> Iterator[Tool]:
        """Calls that will never end: whoever ran them is gone."""
        for part, call in self._said.items():
            if _RANK[call.status] < _RANK["error"]:
                self._said[part] = call.model_copy(update={"status": "error", "error": reason})
                yield self._said[part]


def _is_behind(call: Tool, known: Tool) -> bool:
    return _RANK[known.status] == _RANK["error"] or _RANK[call.status] < _RANK[known.status]


def _tool(prompt: int, part: Part, state: ToolState, *, subtask: bool) -> Tool:
    title = bounds.cut(state.title, _TITLE_BYTES)
    return Tool(
        prompt=prompt,
        # A model may give two calls the same id; OpenCode's parts never share one.
        call=part.id,
        tool=bounds.cut(part.tool, _TITLE_BYTES),
        status=state.status,
        title=f"subtask: {title or part.tool}" if subtask else title,
        input=bounds.shrink(state.input, _INPUT_BYTES),
        output=bounds.cut(state.output, MAX_OUTPUT_CHARS),
        error=None if state.error is None else bounds.cut(state.error, _ERROR_BYTES),
        exit_code=_exit_code(state.metadata),
    )


def _shown(state: ToolState, redact: Redactor) -> ToolState:
    """Before anything is cut: nobody would know what is left of a secret."""
    going_on = state.status in {"pending", "running"}
    output = bounds.clean(_output(state))
    shown = {
        "title": redact(bounds.clean(state.title)),
        "input": tree(state.input, redact),
        "output": redact.so_far(output) if going_on else redact(output),
        "error": state.error and redact(bounds.clean(state.error)),
    }
    return state.model_copy(update=shown)


def _output(state: ToolState) -> str:
    """What a running command has said so far, or a result with the diff that an edit carries."""
    metadata = state.metadata
    shown = state.output or metadata.get("output") or ""
    diff = metadata.get("diff") if state.status == "completed" else None
    return f"{shown}\n{diff}" if isinstance(diff, str) and diff else str(shown)


def _exit_code(metadata: dict[str, Any]) -> int | None:
    code = metadata.get("exit")
    return code if isinstance(code, int) else None
