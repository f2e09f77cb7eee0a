"""What the server says in the timeline when a decision was committed, beside what a bridge says.

`Warned`, which both say, is in `events`.
"""

from typing import Final, Literal

from shared.protocol.attachments import Attached
from shared.protocol.base import Tolerant
from shared.protocol.tokens import TokenCounts


class PromptQueued(Tolerant):
    type: Literal["prompt_queued"] = "prompt_queued"
    prompt: int
    author: str
    text: str
    """An excerpt when the prompt is long; the whole is at `/sessions/{id}/prompts/{n}`."""
    model: str
    attachments: list[Attached] = []


class PromptDispatched(Tolerant):
    """The bridge was told to run it. `prompt_started` follows when it does."""

    type: Literal["prompt_dispatched"] = "prompt_dispatched"
    prompt: int


class PromptFinished(Tolerant):
    type: Literal["prompt_finished"] = "prompt_finished"
    prompt: int
    status: Literal["completed", "failed", "stopped", "cancelled"]
    error: str | None = None
    branch: str | None = None
    commit: str | None = None
    cost: float = 0.0
    tokens: TokenCounts | None = None


class StopRequested(Tolerant):
    type: Literal["stop_requested"] = "stop_requested"
    prompt: int
    by: str


class SessionStatusChanged(Tolerant):
    type: Literal["session_status"] = "session_status"
    status: str


class SandboxSpawning(Tolerant):
    type: Literal["sandbox_spawning"] = "sandbox_spawning"
    attempt: int
    resumed: bool = False
    boot: str = "fresh"
    """What its files begin with: fresh, resume, restore or image."""


class SandboxStatusChanged(Tolerant):
    type: Literal["sandbox_status"] = "sandbox_status"
    attempt: int
    status: str
    reason: str | None = None
    error: str | None = None


class SnapshotSaved(Tolerant):
    """A copy of the sandbox's files was kept, as the turn of `prompt` left them."""

    type: Literal["snapshot_saved"] = "snapshot_saved"
    attempt: int
    prompt: int


class TunnelsOpened(Tolerant):
    """Where ports of the sandbox are reached from outside. Empty: nowhere, any more."""

    type: Literal["tunnels"] = "tunnels"
    attempt: int
    urls: dict[str, str]


class QueueHeld(Tolerant):
    """A turn was interrupted: what waits behind it goes on when somebody says so."""

    type: Literal["queue_held"] = "queue_held"
    reason: str


class QueueResumed(Tolerant):
    type: Literal["queue_resumed"] = "queue_resumed"
    by: str


class TitleChanged(Tolerant):
    type: Literal["title"] = "title"
    title: str


class ArtifactCreated(Tolerant):
    type: Literal["artifact_created"] = "artifact_created"
    id: str
    kind: str
    url: str | None = None
    title: str = ""
    metadata: dict[str, str] = {}
    file: Attached | None = None


class PullRequestTold(Tolerant):
    """What a code host says of a pull request, when the session had not heard of it so.

    `author`: in whose name it was opened, by their user name. `first`: the session sees it for the
    first time.
    """

    type: Literal["pull_request"] = "pull_request"
    repository: str
    number: int
    url: str
    title: str
    state: str
    draft: bool = False
    base: str = ""
    author: str | None = None
    first: bool = False


class PullRequestOffered(Tolerant):
    """The branch is there; a person opens the pull request at `url`, for want of their token."""

    type: Literal["pull_request_offered"] = "pull_request_offered"
    repository: str
    head: str
    base: str
    url: str


type ServerEvent = (
    PromptQueued
    | PromptDispatched
    | PromptFinished
    | StopRequested
    | SessionStatusChanged
    | SandboxSpawning
    | SandboxStatusChanged
    | SnapshotSaved
    | TunnelsOpened
    | QueueHeld
    | QueueResumed
    | TitleChanged
    | ArtifactCreated
    | PullRequestTold
    | PullRequestOffered
)

SERVER_SAYS: Final = frozenset(
    {
        "artifact_created",
        "prompt_dispatched",
        "prompt_finished",
        "prompt_queued",
        "pull_request",
        "pull_request_offered",
        "queue_held",
        "queue_resumed",
        "sandbox_spawning",
        "sandbox_status",
        "session_status",
        "snapshot_saved",
        "stop_requested",
        "title",
        "tunnels",
    }
)
"""The types of `ServerEvent`: from a sandbox they are refused, and watchers know them by name."""
