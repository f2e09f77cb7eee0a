"""The compute that is attached to a session, and the files that outlive it.

An *attempt* is one sandbox identity and one run on the *workspace*; the workspace is the sandbox's
files, belongs to the session and outlives attempts. At most one attempt is not retired.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

ProviderId = NewType("ProviderId", str)

MAX_LIVES = 3
MAX_FAILED_WAKES = 2
"""Boots in a row that failed by what is in the session's sandbox; then its copy is tried."""


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
    failed_wakes: int = 0
    left: bool = False
    """Somebody wants the next sandbox to begin with what was pushed."""

    @property
    def exists(self) -> bool:
        return self.provider_id is not None or self.snapshot is not None

    @property
    def has_unsaved_turns(self) -> bool:
        return self.turn > (self.snapshot.turn if self.snapshot else 0)

    @property
    def boot(self) -> Boot:
        """What the next attempt begins with."""
        if self.left:
            return Boot.FRESH
        if self.provider_id is not None and not self._tries_copy:
            return Boot.RESUME
        return Boot.FRESH if self.snapshot is None else Boot.RESTORE

    @property
    def _tries_copy(self) -> bool:
        return self.snapshot is not None and self.failed_wakes >= MAX_FAILED_WAKES


NO_FILES = Workspace()


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
    beside: bool = False
    """The session's files are elsewhere, and stay there until this one's boot is over."""
    image: str | None = None
    token_hash: str | None = None
    cursor_key: str | None = None
    """Signs the cursors that this attempt's bridge is given; never leaves the server."""
    provider_id: ProviderId | None = None
    expires_at: datetime | None = None
    """When the provider puts it away; None: unknown, which is not the same as never."""
    end_known_by: datetime | None = None
    """Prompts wait for the provider to say so until then."""
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
    saves: int = 0
    """How many copies were begun, each of which has a name of its own."""
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
