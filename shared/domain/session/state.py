"""A session as the domain sees it: the conversation, its unfinished prompts and its sandbox.

Two statuses, independent of each other: `SessionStatus` describes the conversation and survives any
number of sandboxes, `SandboxStatus` the compute that is attached now.

An *attempt* is one sandbox identity and one run on the *workspace*; the workspace is the sandbox's
files, belongs to the session and outlives attempts. At most one attempt is not retired.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

from shared.domain.sandbox_settings import NOTHING_CHOSEN, SandboxSettings

SessionId = NewType("SessionId", str)
UserId = NewType("UserId", str)
ProviderId = NewType("ProviderId", str)

MAX_UNFINISHED_PROMPTS = 50
MAX_PROMPT_CHARS = 64_000
MAX_TITLE_CHARS = 120
MAX_COST = 1_000_000.0
MAX_LIVES = 3


class SessionStatus(StrEnum):
    CREATED = "created"
    ACTIVE = "active"
    COMPLETED = "completed"
    FAILED = "failed"
    ARCHIVED = "archived"
    CANCELLED = "cancelled"

    @property
    def accepts_prompts(self) -> bool:
        return self not in {SessionStatus.ARCHIVED, SessionStatus.CANCELLED}


class SandboxStatus(StrEnum):
    PENDING = "pending"
    WARMING = "warming"
    SPAWNING = "spawning"
    CONNECTING = "connecting"
    READY = "ready"
    SNAPSHOTTING = "snapshotting"
    STOPPED = "stopped"
    STALE = "stale"
    FAILED = "failed"


class PromptStatus(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"
    CANCELLED = "cancelled"


class Ending(StrEnum):
    """Why an attempt is over. From the commit that chose one, prompts wait for the next attempt."""

    INACTIVE = "inactive"
    STOPPED = "stopped"
    LIFETIME = "lifetime"
    STALE = "stale"
    CANCELLED = "cancelled"
    FAILED = "failed"
    DAMAGED = "damaged"
    """It woke without files that it had: the session has a newer copy of them."""
    IMAGE = "image"
    """The prebuilt image could not be used; the next attempt does without."""
    RETARGETED = "retargeted"
    """Another target was chosen before anything was asked: its files are nobody's."""

    @property
    def sandbox(self) -> SandboxStatus:
        match self:
            case Ending.STALE:
                return SandboxStatus.STALE
            case Ending.FAILED:
                return SandboxStatus.FAILED
            case _:
                return SandboxStatus.STOPPED


class Wait(StrEnum):
    """What the life of a sandbox waits for; each is one task-token state of the workflow."""

    CONNECT = "connect"
    READY = "ready"
    SERVE = "serve"
    STOP = "stop"


class Boot(StrEnum):
    """What the files of an attempt begin with."""

    FRESH = "fresh"
    RESUME = "resume"
    """The session's own sandbox, which was put away."""
    RESTORE = "restore"
    """A new sandbox from the session's own snapshot."""
    IMAGE = "image"
    """A new sandbox from an image that was built beforehand."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who asked, and whom git shall name as the author of what comes of it."""

    user: UserId
    name: str
    email: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """One repository of a target. `name` is its directory under `/workspace`."""

    url: str
    name: str
    branch: str | None = None
    """Where work starts; None is the remote's default branch."""
    label: str = ""
    """What people call it, when the URL is not it: a local path, for one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """An unfinished prompt. Its text is stored beside the session and decides nothing."""

    number: int
    author: Author
    model: str
    effort: str | None = None


class StopReason(StrEnum):
    ASKED = "asked"
    LIFETIME = "lifetime"


@dataclass(frozen=True, slots=True)
class Stopping:
    reason: StopReason
    due: datetime
    """By when the bridge has to confirm it."""


@dataclass(frozen=True, slots=True)
class Running:
    """The prompt that the bridge has been told to run, until the bridge says how it ended."""

    prompt: Prompt
    stop: Stopping | None = None

    @property
    def stopping(self) -> bool:
        return self.stop is not None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A copy of the session's files that the provider keeps for us."""

    id: str
    turn: int
    """The newest turn that is in it."""
    marker: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Workspace:
    """The session's files. `provider_id` is the sandbox that has them, running or put away."""

    provider_id: ProviderId | None = None
    turn: int = 0
    """The newest prompt that had its turn on them."""
    marker: int = 0
    """The newest turn whose mark has to be on the disk."""
    snapshot: Snapshot | None = None
    base: str | None = None
    """The copy that the sandbox was made from: it may need it for as long as it exists."""

    @property
    def exists(self) -> bool:
        return self.provider_id is not None or self.snapshot is not None

    @property
    def has_unsaved_turns(self) -> bool:
        return self.turn > (self.snapshot.turn if self.snapshot else 0)

    @property
    def boot(self) -> Boot:
        """What the next attempt begins with."""
        if self.provider_id is not None:
            return Boot.RESUME
        return Boot.FRESH if self.snapshot is None else Boot.RESTORE


@dataclass(frozen=True, slots=True)
class Armed:
    """The workflow waits with this task token; it is never shown and never logged."""

    wait: Wait
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    number: int
    life: int = 1
    boot: Boot = Boot.FRESH
    image: str | None = None
    token_hash: str | None = None
    cursor_key: str | None = None
    """Signs the cursors that this attempt's bridge is given; never leaves the server."""
    provider_id: ProviderId | None = None
    expires_at: datetime | None = None
    """When the provider puts it away; None: unknown, which is not the same as never."""
    tunnels: tuple[tuple[int, str], ...] = ()
    """Where its ports are reached from outside."""
    boot_due: datetime | None = None
    """By when the boot has to be over, from the first launch on."""
    phase: str = "starting"
    repository: str | None = None
    """Which one the phase is about."""
    connected: bool = False
    marks: bool = False
    """Whether its bridge leaves a mark on the disk after each turn; old ones don't."""
    ready: bool = False
    complete: bool = False
    """Whether the boot is over; a ready agent may read before that."""
    saving: bool = False
    """A copy of its files is being made; prompts wait for that."""
    save_began_at: datetime | None = None
    save_error: str | None = None
    save_asked: bool = False
    """A copy is to be made between turns, however new the last one is."""
    ending: Ending | None = None
    armed: Armed | None = None
    idle_due: datetime | None = None
    """When an idle sandbox is paused. Data: the schedule that reads it only pokes."""
    idle_extended: timedelta = timedelta()

    @property
    def resumed(self) -> bool:
        """Whether it begins with the session's files, as opposed to ones of its own making."""
        return self.boot in {Boot.RESUME, Boot.RESTORE}

    @property
    def serves(self) -> bool:
        """Whether the bridge can be given something to do."""
        return self.ready and self.ending is None and not self.saving


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    id: SessionId
    owner: UserId
    target: tuple[Repository, ...]
    model: str
    created_at: datetime
    updated_at: datetime
    """Changes with prompts, settling and archiving only: the list is sorted by it."""
    title: str = ""
    effort: str | None = None
    settings: SandboxSettings = NOTHING_CHOSEN
    """Of its sandboxes, as they were resolved when it was created: later edits change nothing."""
    status: SessionStatus = SessionStatus.CREATED
    sandbox: SandboxStatus = SandboxStatus.PENDING
    prompts: int = 0
    """How many there ever were; the number of the newest."""
    queue: tuple[Prompt, ...] = ()
    running: Running | None = None
    last_outcome: PromptStatus | None = None
    """Of the newest prompt that had its turn; one that was taken back before had none."""
    attempts: int = 0
    attempt: Attempt | None = None
    workspace: Workspace = Workspace()
    branch: str | None = None
    """The session branch, once something was pushed to it."""
    commit: str | None = None
    cost: float = 0.0
    error: str | None = None
    """Why the last sandbox failed; shown until the next one is ready."""
    failures: tuple[datetime, ...] = ()
    """Of the provider and of boots, the newest last; a sandbox that gets ready forgets them."""
    retry_at: datetime | None = None
    """Nothing is started before: too many boots have failed."""
    held: bool = False
    """A turn was cut off: what waits behind it goes on when somebody says so."""
    warm: bool = False
    """A sandbox is wanted although nothing was asked of it yet."""
    image_refused: bool = False
    """The prebuilt image could not be used once: this session does without."""
    version: int = 0
    """Bumped by every commit; the store refuses a decision taken on an older one."""

    @property
    def is_alive(self) -> bool:
        """Whether something is to happen without anybody asking: somebody has to look after it."""
        return self.attempt is not None or self.retry_at is not None

    @property
    def unfinished(self) -> int:
        return len(self.queue) + (self.running is not None)

    @property
    def session_branch(self) -> str:
        return f"outboard/{self.id}"

    def current(self, attempt: int) -> Attempt | None:
        """The attempt of that number if it is the living one."""
        if self.attempt is None or self.attempt.number != attempt:
            return None
        return self.attempt
