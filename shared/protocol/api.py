"""The HTTP API, as JSON. The same models check requests and shape answers."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from shared.domain.session.state import MAX_PROMPT_CHARS, MAX_REPOSITORIES, MAX_TITLE_CHARS
from shared.protocol.attachments import Attached, AttachmentIds, AttachmentView
from shared.protocol.base import BranchName, Identifier, Strict
from shared.protocol.provenance import SessionEnvironment
from shared.protocol.pull_requests import PullRequestOfferView, PullRequestView
from shared.protocol.settings import SandboxSettingsView
from shared.protocol.tokens import TokenCounts

type Email = Annotated[
    str, StringConstraints(max_length=254, pattern=r"^[^\s<>@\x00-\x1f]+@[^\s<>@\x00-\x1f]+$")
]
type PersonName = Annotated[
    str,
    StringConstraints(
        min_length=1, max_length=100, pattern=r"^[^<>\x00-\x1f]*[^<>\s\x00-\x1f][^<>\x00-\x1f]*$"
    ),
]
type Url = Annotated[str, StringConstraints(max_length=2_000, pattern=r"^https?://[^\s]+$")]
type ModelId = Annotated[str, StringConstraints(min_length=1, max_length=120)]
type Effort = Annotated[str, StringConstraints(min_length=1, max_length=20)]


class AuthorView(Strict):
    """Whom git names as the author of what comes of a prompt."""

    name: PersonName
    email: Email


class NewRepository(Strict):
    url: Url
    branch: BranchName | None = None
    label: Annotated[str, StringConstraints(max_length=1_000)] = ""


class NewSession(Strict):
    """`request_id` makes asking twice asking once. Of repositories and environment one is given."""

    request_id: Identifier
    repositories: list[NewRepository] | None = Field(default=None, max_length=MAX_REPOSITORIES)
    """The first is the primary one. None at all is a choice, and has to be said."""
    environment: Identifier | None = None
    title: Annotated[str, StringConstraints(max_length=MAX_TITLE_CHARS)] = ""
    model: ModelId | None = None
    effort: Effort | None = None
    warm: bool = False
    """Have a sandbox ready by the time of the first prompt."""


class NewChoice(Strict):
    """Another target or model for a session that nothing was asked of yet. Null: as it was."""

    repositories: list[NewRepository] | None = Field(default=None, max_length=MAX_REPOSITORIES)
    environment: Identifier | None = None
    model: ModelId | None = None
    effort: Effort | None = None


class NewPrompt(Strict):
    """`attachments`: complete uploads of one's own. With one the text may be empty."""

    request_id: Identifier
    text: Annotated[str, StringConstraints(max_length=MAX_PROMPT_CHARS)]
    author: AuthorView | None = None
    """Null: whoever asks, as their profile has it."""
    model: ModelId | None = None
    effort: Effort | None = None
    attachments: AttachmentIds = []


class Rename(Strict):
    title: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TITLE_CHARS)]


class NewUser(Strict):
    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]{0,38}$")]


class RepositoryView(Strict):
    url: str
    name: str
    branch: str | None
    """Where its work starts."""
    label: str
    pushed_branch: str | None = None
    """The session branch, once something was pushed to it here."""
    pushed_commit: str | None = None


class SandboxView(Strict):
    status: str
    attempt: int | None
    phase: str | None
    repository: str | None
    """Which one the phase is about."""
    error: str | None
    expires_at: datetime | None
    tunnels: dict[str, str]
    """Where its ports are reached from outside."""
    saved_at: datetime | None
    """When the newest copy of the files was made."""


class SessionView(Strict):
    id: str
    title: str
    owner: str
    environment: SessionEnvironment | None = None
    status: str
    sandbox: SandboxView
    repositories: list[RepositoryView]
    model: str
    effort: str | None
    settings: SandboxSettingsView
    """Of its sandboxes, as they were when it was opened; null is the deployment's."""
    demo: bool
    """The scripted demo model answers; no real model does."""
    prompts: int
    unfinished: int
    finished: int | None
    """The newest prompt that had its turn, however it ended."""
    outcome: str | None = None
    """How it ended: `completed`, `failed` or `stopped`."""
    running: int | None
    held: bool
    """A turn was cut off: what waits goes on when somebody resumes the queue."""
    retry_at: datetime | None
    """No sandbox is started before: too many boots have failed."""
    branch: str | None
    """The session branch, once something was pushed to it in any repository."""
    commit: str | None
    """Of the first of those repositories."""
    pull_requests: list[PullRequestView] = []
    offers: list[PullRequestOfferView] = []
    """Pull requests that a person has to open at the host."""
    cost: float
    tokens: TokenCounts
    created_at: datetime
    updated_at: datetime


class SessionList(Strict):
    sessions: list[SessionView]
    next: str | None


class PromptView(Strict):
    number: int
    status: str
    author: AuthorView
    user: str
    text: str
    attachments: list[Attached]
    model: str
    effort: str | None
    created_at: datetime
    finished_at: datetime | None
    error: str | None
    branch: str | None
    commit: str | None
    cost: float
    tokens: TokenCounts


class PromptList(Strict):
    prompts: list[PromptView]
    next: int | None


class PromptAccepted(Strict):
    number: int
    position: int | None
    """How many prompts are before it; None: it is not waiting (any more)."""


class ArtifactView(Strict):
    id: str
    kind: str
    title: str
    url: str | None
    metadata: dict[str, str]
    file: AttachmentView | None = None
    created_at: datetime


class ArtifactList(Strict):
    artifacts: list[ArtifactView]


class EntryView(Strict):
    """One frame of the timeline. `events` are the shapes of `shared.protocol.events`."""

    seq: int
    at: datetime
    attempt: int | None
    events: list[dict[str, object]]


class TimelinePage(Strict):
    entries: list[EntryView]
    tail: int
    """The newest slot there is now."""


class SocketTicket(Strict):
    """Open `url` as it is: the ticket is in it."""

    ticket: str
    url: str
    expires_at: datetime


class ModelView(Strict):
    id: str
    label: str
    efforts: list[str]
    default_effort: str | None


class ModelList(Strict):
    models: list[ModelView]
    default: str
    demo: bool


class UserView(Strict):
    name: str
    role: Literal["owner", "member"]
    created_at: datetime


class UserList(Strict):
    users: list[UserView]


class UserToken(Strict):
    """The only time that the token is shown."""

    user: UserView
    token: str


class ErrorView(Strict):
    """`code` is stable: branch on it, never on the message."""

    code: str
    message: str
    field: str | None = None
