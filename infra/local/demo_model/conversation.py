"""What a request says, whichever wire it came on: the last prompt and what followed it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Turn:
    role: Literal["user", "assistant", "tool"]
    text: str


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool of the request: its name and the names of its parameters, required ones apart."""

    name: str
    parameters: tuple[str, ...]
    required: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    model: str
    turns: tuple[Turn, ...]
    tools: tuple[Offered, ...]

    @property
    def prompt(self) -> str:
        return next((turn.text for turn in reversed(self.turns) if turn.role == "user"), "")

    @property
    def replies(self) -> int:
        """How often the model has answered since the prompt."""
        return sum(turn.role == "assistant" for turn in self._since_prompt())

    @property
    def results(self) -> tuple[str, ...]:
        return tuple(turn.text for turn in self._since_prompt() if turn.role == "tool")

    def _since_prompt(self) -> tuple[Turn, ...]:
        last = max((at for at, turn in enumerate(self.turns) if turn.role == "user"), default=-1)
        return self.turns[last + 1 :]


def offered(name: str, schema: Mapping[str, Any] | None) -> Offered:
    schema = schema or {}
    return Offered(
        name, tuple(schema.get("properties", {})), frozenset(schema.get("required") or ())
    )


def flat(content: str | Sequence[Mapping[str, Any]] | None) -> str:
    """The text of a message's content, which is a string or a list of parts."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(str(part["text"]) for part in content if "text" in part)
