"""What has happened to a session: stored with it, in order, and mostly shown to all who watch."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from shared.domain.attachment import Attachment
from shared.domain.pull_request import PullRequest, PullRequestOffer
from shared.domain.sandbox_settings import SandboxSettings
from shared.domain.session.sandbox import Armed, Boot, Ending, ProviderId, SandboxStatus, Snapshot
from shared.domain.session.state import (
    Prompt,
    PromptStatus,
    Provenance,
    Repository,
    SessionStatus,
    Stopping,
    UserId,
)
from shared.domain.tokens import NO_TOKENS, Tokens


@dataclass(frozen=True, slots=True)
class PromptQueued:
    prompt: Prompt
    text: str
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class PromptDispatched:
    number: int


@dataclass(frozen=True, slots=True)
class StopRequested:
    number: int
    by: UserId | None
    """None: nobody did; the sandbox has to be put away."""
    stop: Stopping


@dataclass(frozen=True, slots=True)
class QueueHeld:
    reason: str


@dataclass(frozen=True, slots=True)
class QueueResumed:
    by: UserId


@dataclass(frozen=True, slots=True)
class TurnLeft:
    """The bridge has said how the turn of this prompt ended; its work is on the disk."""

    number: int
    marked: bool = True
    """So is its mark, if it leaves any."""


@dataclass(frozen=True, slots=True)
class TargetChosen:
    target: tuple[Repository, ...]
    settings: SandboxSettings
    model: str
    effort: str | None
    environment: Provenance | None = None


@dataclass(frozen=True, slots=True)
class WarmthWanted:
    """A sandbox of the new choice, once the one of the old is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFinished:
    number: int
    status: PromptStatus
    error: str | None = None
    branch: str | None = None
    commit: str | None = None
    cost: float = 0.0
    tokens: Tokens = NO_TOKENS


@dataclass(frozen=True, slots=True)
class SessionMoved:
    status: SessionStatus


@dataclass(frozen=True, slots=True)
class TitleSet:
    title: str


BRANCH: Final = "branch"


@dataclass(frozen=True, slots=True)
class BranchPushed:
    """Something is on the session branch of this repository; the first time makes an artifact."""

    repository: str
    branch: str
    commit: str
    first: bool
    artifact: str = BRANCH
    """Which one; of a session's only repository it is called as it always was."""


@dataclass(frozen=True, slots=True)
class ScreenshotHandedIn:
    id: str
    title: str
    file: Attachment
    prompt: int | None
    """In whose turn."""


@dataclass(frozen=True, slots=True)
class PullRequestRecorded:
    """The newest that is known of it. `first`: the session did not know of it before."""

    pull_request: PullRequest
    first: bool


@dataclass(frozen=True, slots=True)
class PullRequestOffered:
    offer: PullRequestOffer


@dataclass(frozen=True, slots=True)
class AttemptStarted:
    number: int
    boot: Boot


@dataclass(frozen=True, slots=True)
class StartPostponed:
    """Too much has failed: nothing is started before."""

    until: datetime


@dataclass(frozen=True, slots=True)
class BootChosen:
    """What the attempt begins with, after all."""

    boot: Boot
    image: str | None = None


@dataclass(frozen=True, slots=True)
class AttemptIdentified:
    token_hash: str
    cursor_key: str
    boot_due: datetime


@dataclass(frozen=True, slots=True)
class AttemptLaunched:
    provider_id: ProviderId
    expires_at: datetime | None
    tunnels: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class BridgeConnected:
    marks: bool


@dataclass(frozen=True, slots=True)
class PhaseReported:
    phase: str
    repository: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BootPhase:
    """A phase began or ended, as the history of the boot keeps it; nothing decides by it."""

    phase: str
    status: str
    repository: str | None = None
    elapsed_ms: int = 0
    warning: str | None = None
    error: str | None = None
    tail: str | None = None
    """The end of a failing script's output."""


@dataclass(frozen=True, slots=True)
class BridgeReady:
    pass


@dataclass(frozen=True, slots=True)
class BootOver:
    """The agent may write: what it does is worth keeping from now on."""


@dataclass(frozen=True, slots=True)
class SaveAsked:
    pass


@dataclass(frozen=True, slots=True)
class SaveBegan:
    at: datetime


@dataclass(frozen=True, slots=True)
class SaveEnded:
    """`error`: there is no new copy, and why."""

    error: str | None = None


@dataclass(frozen=True, slots=True)
class FilesSaved:
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class TaskArmed:
    armed: Armed


@dataclass(frozen=True, slots=True)
class TaskDisarmed:
    pass


@dataclass(frozen=True, slots=True)
class EndUnknown:
    """The provider has not said when the sandbox ends, and prompts wait for that."""

    known_by: datetime


@dataclass(frozen=True, slots=True)
class IdleSince:
    """Nothing runs; at `due` the sandbox is paused. None: something runs again."""

    due: datetime | None


@dataclass(frozen=True, slots=True)
class IdleExtended:
    due: datetime
    by: timedelta


@dataclass(frozen=True, slots=True)
class LifeBegunAgain:
    life: int


@dataclass(frozen=True, slots=True)
class SandboxMoved:
    status: SandboxStatus
    reason: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class AttemptEnding:
    ending: Ending
    error: str | None = None
    counted_at: datetime | None = None
    """Of a failure that says that the next one would fail as well."""


@dataclass(frozen=True, slots=True)
class WorkspaceLost:
    """The sandbox with the session's files is gone; the copy of them, if any, is what is left."""


@dataclass(frozen=True, slots=True)
class SnapshotLost:
    pass


@dataclass(frozen=True, slots=True)
class WakeFailed:
    """A boot failed by what is in the session's sandbox, so many times in a row.

    0: the copy that was tried instead did not boot either; it is the sandbox's turn again.
    """

    times: int


@dataclass(frozen=True, slots=True)
class FilesLeft:
    by: UserId


@dataclass(frozen=True, slots=True)
class TurnsMissed:
    """The disk is older than it should be and nothing newer exists: it is what there is."""

    marker: int


@dataclass(frozen=True, slots=True)
class AttemptRetired:
    number: int
    provider_id: ProviderId | None
    """Where the session's files are now. None: nothing new is known, they are where they were."""


type Event = (
    PromptQueued
    | PromptDispatched
    | StopRequested
    | PromptFinished
    | QueueHeld
    | QueueResumed
    | TurnLeft
    | TargetChosen
    | WarmthWanted
    | SessionMoved
    | TitleSet
    | BranchPushed
    | ScreenshotHandedIn
    | PullRequestRecorded
    | PullRequestOffered
    | AttemptStarted
    | StartPostponed
    | BootChosen
    | AttemptIdentified
    | AttemptLaunched
    | BridgeConnected
    | PhaseReported
    | BootPhase
    | BridgeReady
    | BootOver
    | SaveAsked
    | SaveBegan
    | SaveEnded
    | FilesSaved
    | TaskArmed
    | TaskDisarmed
    | EndUnknown
    | IdleSince
    | IdleExtended
    | LifeBegunAgain
    | SandboxMoved
    | AttemptEnding
    | WorkspaceLost
    | SnapshotLost
    | WakeFailed
    | FilesLeft
    | TurnsMissed
    | AttemptRetired
)
