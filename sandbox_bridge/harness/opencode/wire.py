"""The parts of OpenCode's messages that we read. Whatever else is in them is let pass."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class Event(_Read):
    """`id` is empty for what we made up ourselves out of the state of the server."""

    id: str = ""
    type: str
    properties: dict[str, Any] = {}


class ErrorInfo(_Read):
    name: str = "UnknownError"
    data: dict[str, Any] = {}

    @property
    def sentence(self) -> str:
        """The model's or OpenCode's own words; a stack trace behind them is cut off."""
        words = str(self.data.get("message") or self.name).strip().split("\n    at ")[0]
        status = self.data.get("statusCode")
        return f"{words} (HTTP {status})" if status else words


class Moment(_Read):
    created: int


class Message(_Read):
    id: str
    session: str = Field(alias="sessionID")
    role: Literal["user", "assistant"]
    time: Moment
    error: ErrorInfo | None = None
    finish: str | None = None
    # True for a summary that makes room in the context; an object on a user's message.
    summary: Any = None

    @property
    def is_summary(self) -> bool:
        return self.role == "assistant" and self.summary is True

    @property
    def is_answer(self) -> bool:
        return self.role == "assistant" and not self.is_summary


class Span(_Read):
    start: int = 0
    end: int | None = None


class ToolState(_Read):
    status: Literal["pending", "running", "completed", "error"]
    input: dict[str, Any] = {}
    output: str = ""
    title: str = ""
    error: str | None = None
    metadata: dict[str, Any] = {}


class Tokens(_Read):
    input: float = 0
    output: float = 0
    reasoning: float = 0
    cache: dict[str, float] = {}

    @property
    def counted(self) -> dict[str, int]:
        counts = {"input": self.input, "output": self.output, "reasoning": self.reasoning}
        cached = {f"cache_{kind}": count for kind, count in self.cache.items()}
        return {name: int(count) for name, count in (counts | cached).items() if count}


class Part(_Read):
    """Of any kind: `type` says which of the fields are filled."""

    id: str
    session: str = Field(alias="sessionID")
    message: str = Field(alias="messageID")
    type: str
    text: str = ""
    time: Span | None = None
    tool: str = ""
    state: ToolState | None = None
    cost: float = 0.0
    tokens: Tokens = Tokens()

    @property
    def is_finished(self) -> bool:
        return self.time is not None and self.time.end is not None


class Delta(_Read):
    part: str = Field(alias="partID")
    field: str
    delta: str


class Status(_Read):
    type: Literal["idle", "busy", "retry"]
    attempt: int = 0
    message: str = ""
