"""What the world asks of a session.

Every command from a sandbox, a timer or a workflow names the attempt that it belongs to, so that a
late one cannot touch a newer attempt.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from shared.domain.session.state import Author, PromptStatus, ProviderId, UserId, Wait

# From people.


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitPrompt:
    author: Author
    text: str
    model: str
    effort: str | None = None


@dataclass(frozen=True, slots=True)
class CancelPrompt:
    number: int


@dataclass(frozen=True, slots=True)
class Stop:
    by: UserId
    prompt: int | None = None
    """Which one; None: whatever runs. One that is over already is nothing to stop."""


@dataclass(frozen=True, slots=True)
class Cancel:
    by: UserId


@dataclass(frozen=True, slots=True)
class Archive:
    by: UserId


@dataclass(frozen=True, slots=True)
class Unarchive:
    by: UserId


@dataclass(frozen=True, slots=True)
class Rename:
    title: str


# From the workflow that is the life of a sandbox.


@dataclass(frozen=True, slots=True)
class Launching:
    """A provider call is about to be made. Written before it, so that an orphan is locked out.

    Whoever asks reads the attempt afterwards: only with this very hash on it may it call.
    """

    attempt: int
    token_hash: str
    cursor_key: str


@dataclass(frozen=True, slots=True)
class Launched:
    attempt: int
    provider_id: ProviderId
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class LaunchFailed:
    attempt: int
    error: str
    workspace_gone: bool = False
    """The provider says for certain that the session's files do not exist any more."""


@dataclass(frozen=True, slots=True)
class Arm:
    """The workflow waits for something and handed over its task token."""

    attempt: int
    wait: Wait
    token: str


class Clock(StrEnum):
    """Which of a waiting state's two clocks ran out."""

    TIMEOUT = "timeout"
    HEARTBEAT = "heartbeat"


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A question, not a verdict: the answer may be to go on."""

    attempt: int
    wait: Wait
    clock: Clock
    last_heard: datetime | None
    """When the newest frame of this attempt was stored."""


@dataclass(frozen=True, slots=True)
class LifeEnded:
    """The workflow is over and has not retired its attempt: it failed, was aborted, or is lost."""

    attempt: int
    life: int


@dataclass(frozen=True, slots=True)
class Retire:
    """The workspace is safe; the attempt is over."""

    attempt: int
    provider_id: ProviderId | None
    """Where the session's files are now. None: where they were before, if there are any."""


@dataclass(frozen=True, slots=True)
class Poke:
    """The inactivity schedule fired: early, late or twice."""

    attempt: int
    watched: bool


# From the bridge.


@dataclass(frozen=True, slots=True)
class Connect:
    attempt: int


@dataclass(frozen=True, slots=True)
class ReportPhase:
    attempt: int
    phase: str


@dataclass(frozen=True, slots=True)
class BecomeReady:
    attempt: int


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The bridge cannot finish the boot, or cannot go on."""

    attempt: int
    error: str


@dataclass(frozen=True, slots=True)
class ConfirmStart:
    attempt: int
    prompt: int


@dataclass(frozen=True, slots=True)
class RecordPush:
    attempt: int
    prompt: int
    repository: str
    branch: str
    commit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishPrompt:
    attempt: int
    prompt: int
    status: PromptStatus
    error: str | None = None
    branch: str | None = None
    commit: str | None = None
    cost: float = 0.0


type Command = (
    SubmitPrompt
    | CancelPrompt
    | Stop
    | Cancel
    | Archive
    | Unarchive
    | Rename
    | Launching
    | Launched
    | LaunchFailed
    | Arm
    | TimedOut
    | LifeEnded
    | Retire
    | Poke
    | Connect
    | ReportPhase
    | BecomeReady
    | GiveUp
    | ConfirmStart
    | RecordPush
    | FinishPrompt
)
