"""What the world asks of a session.

Every command from a sandbox, a timer or a workflow names the attempt that it belongs to, so that a
late one cannot touch a newer attempt.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from shared.domain.attachment import Attachment
from shared.domain.pull_request import PullRequest, PullRequestOffer
from shared.domain.sandbox_settings import SandboxSettings
from shared.domain.session.failures import Failure
from shared.domain.session.sandbox import Boot, ProviderId, Wait
from shared.domain.session.state import Author, PromptStatus, Provenance, Repository, UserId
from shared.domain.tokens import NO_TOKENS, Tokens

# From people.


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitPrompt:
    author: Author
    text: str
    model: str
    effort: str | None = None
    attachments: tuple[Attachment, ...] = ()


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


@dataclass(frozen=True, slots=True)
class ResumeQueue:
    """What waits behind an interrupted turn may go on."""

    by: UserId


@dataclass(frozen=True, slots=True)
class BeginAnew:
    """The session's files are left: the next sandbox begins with what was pushed."""

    by: UserId


@dataclass(frozen=True, slots=True)
class SaveFiles:
    """Somebody wants a copy of the files, between two turns."""

    by: UserId


@dataclass(frozen=True, slots=True)
class Warm:
    """Somebody is about to ask for something: have a sandbox ready by then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choose:
    """Another target or model, while nothing has been asked yet. None: as it was."""

    target: tuple[Repository, ...] | None = None
    environment: Provenance | None = None
    """Of the target, if it is another."""
    settings: SandboxSettings | None = None
    model: str | None = None
    effort: str | None = None


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
class UseImage:
    """There is a prebuilt image for this target: an attempt that would begin fresh takes it."""

    attempt: int
    image: str


@dataclass(frozen=True, slots=True)
class FilesGone:
    """The provider says for certain that what this attempt begins with does not exist any more.

    `boot` names it, so that what is said twice does not lose the next best as well.
    """

    attempt: int
    boot: Boot


@dataclass(frozen=True, slots=True)
class Launched:
    """Also said again, when more is known: of an end that was unknown, for one."""

    attempt: int
    provider_id: ProviderId
    expires_at: datetime | None
    tunnels: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class LaunchFailed:
    attempt: int
    error: str
    failure: Failure = Failure.UNKNOWN


@dataclass(frozen=True, slots=True)
class Vanished:
    """The provider does not know the sandbox of this attempt any more."""

    attempt: int
    provider_id: ProviderId


@dataclass(frozen=True, slots=True)
class Saved:
    """A copy of the files was made, while the attempt ran or when it was put away."""

    attempt: int
    snapshot: str
    turn: int
    marker: int


@dataclass(frozen=True, slots=True)
class SaveFailed:
    attempt: int
    error: str


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
    """`marker`: the newest turn that has left its mark on the disk; None: an old bridge."""

    attempt: int
    marker: int | None = None


@dataclass(frozen=True, slots=True)
class Beat:
    """The bridge lives, and asks what to do: also a moment to see what is overdue."""

    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPhase:
    """`tail`: the end of what a script said that failed."""

    attempt: int
    phase: str
    status: str = "started"
    repository: str | None = None
    elapsed_ms: int = 0
    warning: str | None = None
    error: str | None = None
    tail: str | None = None


@dataclass(frozen=True, slots=True)
class BecomeReady:
    """`complete`: the boot is over, too; else the agent may only read so far."""

    attempt: int
    complete: bool = True


@dataclass(frozen=True, slots=True)
class CompleteBoot:
    attempt: int


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The bridge cannot finish the boot, or cannot go on."""

    attempt: int
    error: str
    failure: Failure = Failure.BOOT


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


@dataclass(frozen=True, slots=True)
class RecordScreenshot:
    """The agent hands in an image. `id` is of its content: the same one again is no other."""

    attempt: int
    id: str
    title: str
    file: Attachment


@dataclass(frozen=True, slots=True)
class RecordPullRequest:
    """What a code host says of one; it may be old news. `asked`: it answers a question of ours."""

    pull_request: PullRequest
    asked: bool = False


@dataclass(frozen=True, slots=True)
class OfferPullRequest:
    offer: PullRequestOffer


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishPrompt:
    attempt: int
    prompt: int
    status: PromptStatus
    error: str | None = None
    branch: str | None = None
    commit: str | None = None
    cost: float = 0.0
    tokens: Tokens = NO_TOKENS
    marked: bool = True
    """Whether the turn's mark is on the disk."""


type Command = (
    SubmitPrompt
    | CancelPrompt
    | Stop
    | Cancel
    | Archive
    | Unarchive
    | Rename
    | ResumeQueue
    | BeginAnew
    | SaveFiles
    | Warm
    | Choose
    | Launching
    | UseImage
    | FilesGone
    | Launched
    | LaunchFailed
    | Vanished
    | Saved
    | SaveFailed
    | Arm
    | TimedOut
    | LifeEnded
    | Retire
    | Poke
    | Connect
    | Beat
    | ReportPhase
    | BecomeReady
    | CompleteBoot
    | GiveUp
    | ConfirmStart
    | RecordPush
    | RecordScreenshot
    | RecordPullRequest
    | OfferPullRequest
    | FinishPrompt
)
