"""What a session answers: facts to keep, and work for the outside world."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from shared.domain.session.state import (
    Armed,
    Ending,
    Prompt,
    PromptStatus,
    ProviderId,
    SandboxStatus,
    SessionStatus,
    UserId,
)

# Facts: stored with the session, in order. Most are shown to everybody who watches it.


@dataclass(frozen=True, slots=True)
class PromptQueued:
    prompt: Prompt
    text: str


@dataclass(frozen=True, slots=True)
class PromptDispatched:
    number: int


@dataclass(frozen=True, slots=True)
class StopRequested:
    number: int
    by: UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFinished:
    number: int
    status: PromptStatus
    error: str | None = None
    branch: str | None = None
    commit: str | None = None
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class SessionMoved:
    status: SessionStatus


@dataclass(frozen=True, slots=True)
class TitleSet:
    title: str


@dataclass(frozen=True, slots=True)
class BranchPushed:
    """Something is on the session branch of this repository; the first time makes an artifact."""

    repository: str
    branch: str
    commit: str
    first: bool


@dataclass(frozen=True, slots=True)
class AttemptStarted:
    number: int
    resumed: bool


@dataclass(frozen=True, slots=True)
class AttemptIdentified:
    token_hash: str
    cursor_key: str


@dataclass(frozen=True, slots=True)
class AttemptLaunched:
    provider_id: ProviderId
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class BridgeConnected:
    pass


@dataclass(frozen=True, slots=True)
class PhaseReported:
    phase: str


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
class TaskArmed:
    armed: Armed


@dataclass(frozen=True, slots=True)
class TaskDisarmed:
    pass


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


@dataclass(frozen=True, slots=True)
class WorkspaceLost:
    pass


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
    | SessionMoved
    | TitleSet
    | BranchPushed
    | AttemptStarted
    | AttemptIdentified
    | AttemptLaunched
    | BridgeConnected
    | PhaseReported
    | BootPhase
    | BridgeReady
    | TaskArmed
    | TaskDisarmed
    | IdleSince
    | IdleExtended
    | LifeBegunAgain
    | SandboxMoved
    | AttemptEnding
    | WorkspaceLost
    | AttemptRetired
)


# Effects: each has a unique key and is safe to perform twice.


@dataclass(frozen=True, slots=True)
class StartLife:
    """Start the workflow `<session>-<attempt>-<life>`; a running one of that name is the same."""

    attempt: int
    life: int


@dataclass(frozen=True, slots=True)
class CompleteTask:
    """Hand an outcome to a waiting workflow; one that waits no more ignores it."""

    token: str
    outcome: str


@dataclass(frozen=True, slots=True)
class ArmTimer:
    """Have the session poked about this attempt at `due`; a later call moves the time."""

    attempt: int
    due: datetime


type Effect = StartLife | CompleteTask | ArmTimer


@dataclass(frozen=True, slots=True)
class Decision:
    events: tuple[Event, ...] = ()
    effects: tuple[Effect, ...] = ()

    def __add__(self, then: Self) -> Self:
        return type(self)(self.events + then.events, self.effects + then.effects)


NOTHING = Decision()
"""The answer to everything late or repeated."""
