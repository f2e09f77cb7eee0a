"""A session as the domain sees it: the conversation, its unfinished prompts and its sandbox.

Two statuses, independent of each other: `SessionStatus` describes the conversation and survives any
number of sandboxes, `SandboxStatus` the compute that is attached now.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

from shared.domain.pull_request import PullRequest, PullRequestOffer
from shared.domain.sandbox_settings import NOTHING_CHOSEN, SandboxSettings
from shared.domain.session.sandbox import NO_FILES, Attempt, SandboxStatus, Workspace
from shared.domain.tokens import NO_TOKENS, Tokens

SessionId = NewType("SessionId", str)
UserId = NewType("UserId", str)
EnvironmentId = NewType("EnvironmentId", str)

MAX_UNFINISHED_PROMPTS = 50
MAX_PROMPT_CHARS = 64_000
MAX_TITLE_CHARS = 120
MAX_REPOSITORIES = 10
MAX_COST = 1_000_000.0


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


class PromptStatus(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Author:
    """Who asked, and whom git shall name as the author of what comes of it."""

    user: UserId
    name: str
    email: str


@dataclass(frozen=True, slots=True)
class Provenance:
    """The environment that a session was opened from, by the name that it had then."""

    environment: EnvironmentId
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """One repository of a target. `name` is its directory under `/workspace`."""

    url: str
    name: str
    branch: str | None = None
    """Where work starts; None is the remote's default branch."""
    label: str = ""
    """What people call it, when the URL is not it: a local path, for one."""


@dataclass(frozen=True, slots=True)
class Push:
    """Where the session branch of one repository stands on its remote."""

    repository: str
    """Its name."""
    branch: str
    commit: str


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
    environment: Provenance | None = None
    """None: somebody has named the repositories themselves."""
    status: SessionStatus = SessionStatus.CREATED
    sandbox: SandboxStatus = SandboxStatus.PENDING
    prompts: int = 0
    """How many there ever were; the number of the newest."""
    queue: tuple[Prompt, ...] = ()
    running: Running | None = None
    last_outcome: PromptStatus | None = None
    """Of the newest prompt that had its turn; one that was taken back before had none."""
    finished: int | None = None
    """The number of that prompt; None: none had its turn yet."""
    attempts: int = 0
    attempt: Attempt | None = None
    workspace: Workspace = NO_FILES
    pushes: tuple[Push, ...] = ()
    """One for each repository that something was pushed to, in the order of the target."""
    pull_requests: tuple[PullRequest, ...] = ()
    """The last that was told of first one; at most one of each repository and number."""
    offers: tuple[PullRequestOffer, ...] = ()
    """At most one of each repository."""
    screenshots: tuple[str, ...] = ()
    """Those that its agents have handed in, by their content."""
    cost: float = 0.0
    tokens: Tokens = NO_TOKENS
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

    @property
    def branch(self) -> str | None:
        """The session branch, once something was pushed to it anywhere."""
        return self.pushes[0].branch if self.pushes else None

    @property
    def commit(self) -> str | None:
        """Of the first repository that something was pushed to."""
        return self.pushes[0].commit if self.pushes else None

    def pushed(self, repository: str) -> Push | None:
        return next((push for push in self.pushes if push.repository == repository), None)

    def current(self, attempt: int) -> Attempt | None:
        """The attempt of that number if it is the living one."""
        if self.attempt is None or self.attempt.number != attempt:
            return None
        return self.attempt
