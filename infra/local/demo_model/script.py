"""The script that a test writes into a prompt: one step for each reply of the model."""

import json
from collections.abc import Iterator
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

MARKER: Final = "@@SCRIPT"
END: Final = "@@END"


class ScriptedCall(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    args: dict[str, Any] = {}


class Step(BaseModel):
    """One reply, and how it goes wrong.

    `status` refuses with that HTTP status, `cut` drops the connection after the text: the first
    `times` requests for this step, or all of them. `hang` says nothing for so many seconds after
    the headers. `delay` passes between two pieces of `chunk` characters.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str = ""
    thinking: str = ""
    tools: tuple[ScriptedCall, ...] = ()
    status: int | None = Field(default=None, ge=400, le=599)
    message: str = "scripted refusal"
    retry_after: float | None = None
    cut: bool = False
    times: int | None = None
    hang: float = Field(default=0.0, ge=0.0, le=600.0)
    delay: float = Field(default=0.0, ge=0.0, le=60.0)
    chunk: int = Field(default=24, ge=1)
    input_tokens: int = 1_000
    output_tokens: int = 50


_STEPS: Final = TypeAdapter(tuple[Step, ...])
_JSON: Final = json.JSONDecoder()


def scripted(prompt: str) -> tuple[Step, ...] | None:
    """The steps of the last script in a prompt; None without one, ValueError when it is malformed.

    A script may hold another inside a JSON string (the prompt of a subagent), which is why the
    marker's end is found by parsing and not by searching.
    """
    scripts = tuple(_scripts(prompt))
    return _STEPS.validate_python(scripts[-1]) if scripts else None


def prompt_of(*steps: dict[str, Any], text: str = "Do as scripted.") -> str:
    """A prompt that carries these steps."""
    return f"{text} {MARKER} {json.dumps(steps)} {END}"


def _scripts(prompt: str) -> Iterator[Any]:
    at = prompt.find(MARKER)
    while at >= 0:
        start = at + len(MARKER)
        start += len(prompt[start:]) - len(prompt[start:].lstrip())
        steps, end = _JSON.raw_decode(prompt, start)
        yield steps
        at = prompt.find(MARKER, end)
