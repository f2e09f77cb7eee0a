"""Where sessions are kept, and the one transaction by which they change."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.app.ports.boots import BootRecord
from shared.domain.attachment import Attachment
from shared.domain.listing import OPEN_ONES, Wanted
from shared.domain.session.decision import Effect
from shared.domain.session.facts import Event
from shared.domain.session.state import (
    Prompt,
    PromptStatus,
    Session,
    SessionId,
)
from shared.domain.timeline import Entry, Frame
from shared.domain.tokens import NO_TOKENS, Tokens


class VersionConflict(Exception):
    """Somebody else committed to this session first: load it and decide anew."""


class RequestTaken(Exception):
    """A request of this id was committed first: answer with what it produced."""


@dataclass(frozen=True, slots=True)
class Request:
    """A client's own name for what it asks, so that asking twice within 30 days is asking once.

    `fingerprint` is of the content: the same id with another fingerprint is a conflict.
    """

    id: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Answered:
    """What a request has produced: the prompt that it queued, stopped or closed; 0: none."""

    fingerprint: str
    prompt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """All of it or none of it.

    `frame` takes the first free slot behind `after_slot`; a frame of the same id that is found
    behind it is this very commit, whose answer was lost. None: nothing that viewers see.

    The version stored is `before.version + 1`, whatever `after` says.
    """

    before: Session
    after: Session
    facts: tuple[Event, ...]
    effects: tuple[Effect, ...]
    frame: Frame | None
    after_slot: int
    now: datetime
    request: Request | None = None


@dataclass(frozen=True, slots=True)
class PendingEffect:
    session_id: SessionId
    key: str
    """`<version>.<index>`: unique in the session."""
    effect: Effect
    due: datetime
    tries: int = 0
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Committed:
    entry: Entry | None
    effects: tuple[PendingEffect, ...]
    already: bool = False
    """It had been stored before: the effects are somebody else's to perform."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptRecord:
    """A prompt for good: what was asked and what came of it."""

    prompt: Prompt
    text: str
    """Whole from `prompt()`, an excerpt of 1,000 characters from `prompts()`."""
    status: PromptStatus
    created_at: datetime
    attachments: tuple[Attachment, ...] = ()
    finished_at: datetime | None = None
    error: str | None = None
    branch: str | None = None
    commit: str | None = None
    cost: float = 0.0
    tokens: Tokens = NO_TOKENS


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    id: str
    kind: str
    title: str
    url: str | None
    metadata: tuple[tuple[str, str], ...]
    created_at: datetime
    file: Attachment | None = None


@dataclass(frozen=True, slots=True)
class SessionPage:
    """Newest first. `next` is where the following page starts; None: there is none."""

    sessions: tuple[Session, ...]
    next: str | None


class SessionStore(Protocol):
    def create(self, session: Session, fingerprint: str) -> Session:
        """Store a new session; the same id and fingerprint is answered with what is there.

        Raises `Conflict` when the id is taken with another fingerprint.
        """
        ...

    def load(self, session_id: SessionId) -> Session:
        """Consistent. Raises `NotFound`."""
        ...

    def commit(self, commit: Commit) -> Committed:
        """Raises `VersionConflict`, `RequestTaken`, `Contended`, `Unavailable`.

        An unknown result (time-out, throttling, transaction conflict) is repeated on the same slot
        until it is known; what stays unknown is raised. The same commit with the same frame may
        then be asked for again, and so may any other command: it is loaded and decided anew.
        """
        ...

    def answered(self, session_id: SessionId, request_id: str) -> Answered | None:
        """Consistent. One that has expired may be answered until it is deleted, days later."""
        ...

    def prompt(self, session_id: SessionId, number: int) -> PromptRecord:
        """Raises `NotFound`."""
        ...

    def prompts(
        self, session_id: SessionId, *, after: int, limit: int
    ) -> Sequence[PromptRecord]: ...

    def artifacts(self, session_id: SessionId) -> Sequence[Artifact]: ...

    def alive(self) -> Sequence[SessionId]:
        """Those that are alive, from an index: eventually consistent."""
        ...

    def boots(self, session_id: SessionId, *, limit: int) -> Sequence[BootRecord]:
        """The newest attempt first."""
        ...

    def recent(
        self,
        *,
        limit: int,
        start: str | None = None,
        wanted: Wanted = OPEN_ONES,
    ) -> SessionPage:
        """The sessions by recency, from the index: eventually consistent.

        A page may hold fewer than `limit`, even none, and still have a next one. Raises `Invalid`
        for a `start` it never gave.
        """
        ...


class EffectStore(Protocol):
    def done(self, effect: PendingEffect) -> None:
        """Delete exactly that row; gone is fine."""
        ...

    def due(self, now: datetime, limit: int) -> Sequence[PendingEffect]:
        """What the index says is due; some of it may be done or leased already."""
        ...

    def lease(self, effect: PendingEffect, now: datetime, until: datetime) -> PendingEffect | None:
        """Take it until then and count the try; None: done, or somebody else's."""
        ...

    def failed(self, effect: PendingEffect, error: str, again: datetime | None) -> None:
        """Keep why; due again then, or never (None): it stays, counted, for a person to see.

        Ignored when it is done, or leased again since `effect` was.
        """
        ...
