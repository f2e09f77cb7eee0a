"""What a bridge says of what happens in a session, in the timeline and on every wire.

A timeline frame carries a list of these, and of what the server says: `server_events`. Types in
`CHANGES_STATE` are decided upon; all others are stored and shown as they came. A type that nobody
here knows is stored raw.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import Field, StringConstraints

from shared.protocol.base import Tolerant
from shared.protocol.tokens import TokenCounts

MAX_OUTPUT_CHARS = 8_000
"""Of a tool's output, kept in the timeline; the bridge cuts the middle out of more."""

MAX_TAIL_BYTES = 8 * 1024
MAX_TAIL_LINES = 60

type Phase = Literal["starting", "sync", "setup", "start", "skills", "harness"]
type PhaseStatus = Literal["started", "completed", "failed"]
type Name = Annotated[str, StringConstraints(max_length=300)]
"""Of a repository, a branch or a commit: kept with the session, so not any length."""

type ToolStatus = Literal["pending", "running", "completed", "error"]


class BootProgress(Tolerant):
    """A phase of the boot began or ended. A completed one may carry a warning."""

    type: Literal["boot_progress"] = "boot_progress"
    phase: Annotated[str, StringConstraints(max_length=40)]
    """One of `Phase`, or what a newer bridge calls it."""

    status: PhaseStatus
    repository: str | None = None
    elapsed_ms: int = 0
    warning: str | None = None
    error: str | None = None
    output_tail: str | None = None
    """The end of a failing script's output, redacted; at most 60 lines and 8 KiB."""


class Ready(Tolerant):
    """The harness takes turns.

    `complete`: the boot is over, too. Else the agent may read, what would write waits, and
    `boot_completed` follows.
    """

    type: Literal["ready"] = "ready"
    complete: bool = True
    harness: str = "opencode"
    runtime_version: str = ""
    isolation: str = ""


class BootCompleted(Tolerant):
    """What was still under way when the harness was ready is done: the agent may write."""

    type: Literal["boot_completed"] = "boot_completed"


type FatalKind = Literal["repository", "script", "agent", "runtime"]
"""What is to blame: a repository that can't be had, the user's own script, the agent, or us."""


class Fatal(Tolerant):
    """The bridge cannot go on: the boot failed in the last phase that it named."""

    type: Literal["fatal"] = "fatal"
    error: str
    kind: Annotated[str, StringConstraints(max_length=40)] = "runtime"
    """One of `FatalKind`, or what a newer bridge calls it."""


class PromptStarted(Tolerant):
    type: Literal["prompt_started"] = "prompt_started"
    prompt: int


class Text(Tolerant):
    """The agent's words. `text` is the whole part so far: a later one replaces an earlier one."""

    type: Literal["text"] = "text"
    prompt: int
    part: str
    text: str
    final: bool = False


class TextDelta(Tolerant):
    """More of a text part: append. A final `Text` repeats the whole."""

    type: Literal["text_delta"] = "text_delta"
    prompt: int
    part: str
    delta: str


class Reasoning(Tolerant):
    type: Literal["reasoning"] = "reasoning"
    prompt: int
    part: str
    text: str


class Tool(Tolerant):
    """A tool call, each time its status changes or a running one shows more output."""

    type: Literal["tool"] = "tool"
    prompt: int
    call: str
    tool: str
    status: ToolStatus
    title: str = ""
    input: dict[str, Any] = {}
    output: str = ""
    error: str | None = None
    exit_code: int | None = None


class StepFinished(Tolerant):
    """One model call ended. Tokens and dollars are of this step alone."""

    type: Literal["step_finished"] = "step_finished"
    prompt: int
    cost: float = 0.0
    tokens: dict[str, int] = {}


class Todo(Tolerant):
    type: Literal["todo"] = "todo"
    prompt: int
    items: list[dict[str, str]] = []


class Retrying(Tolerant):
    """The model refused for now; the harness will ask again."""

    type: Literal["retrying"] = "retrying"
    prompt: int
    attempt: int
    reason: str


class Warned(Tolerant):
    type: Literal["warning"] = "warning"
    message: str
    scope: str = ""


class Committed(Tolerant):
    """What the agent had left uncommitted is now a commit of the prompt's author."""

    type: Literal["committed"] = "committed"
    prompt: int
    repository: str
    commit: str
    files: int


class Pushed(Tolerant):
    """The session branch is on the remote, at this commit."""

    type: Literal["pushed"] = "pushed"
    prompt: int
    repository: Name
    branch: Name
    commit: Name


class ChangesUpdated(Tolerant):
    """There is a new comparison of the files with where the session began: see `changes`."""

    type: Literal["changes_updated"] = "changes_updated"
    prompt: int
    """The newest whose work is in it; 0: none."""

    revision: Name
    files: int
    additions: int
    deletions: int
    repositories: int
    """How many have changes."""


class ExecutionComplete(Tolerant):
    """Exactly one per prompt, from the bridge alone, after commit and push are settled.

    `cost` is what this prompt cost in dollars, whole, and `tokens` what its models read and wrote;
    a bridge from before they were summed up tells none. `branch` and `commit` are null when nothing
    was pushed because nothing changed.
    """

    type: Literal["execution_complete"] = "execution_complete"
    prompt: int
    status: Literal["completed", "failed", "stopped"]
    error: str | None = None
    cost: float = 0.0
    tokens: TokenCounts = TokenCounts()
    branch: Name | None = None
    commit: Name | None = None
    marked: bool = True
    """Whether its mark is on the disk, which later boots are held to. Old bridges do not say."""


type BridgeEvent = Annotated[
    BootProgress
    | Ready
    | BootCompleted
    | Fatal
    | PromptStarted
    | Text
    | TextDelta
    | Reasoning
    | Tool
    | StepFinished
    | Todo
    | Retrying
    | Warned
    | Committed
    | Pushed
    | ChangesUpdated
    | ExecutionComplete,
    Field(discriminator="type"),
]

CHANGES_STATE: Final = frozenset(
    {
        "boot_progress",
        "ready",
        "boot_completed",
        "fatal",
        "prompt_started",
        "pushed",
        "execution_complete",
    }
)
"""A frame with one of these goes through `decide`; a frame without never touches META."""
