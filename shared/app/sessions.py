"""Load, decide, commit, then act: the one path by which a session changes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.app.aftermath import Aftermath
from shared.app.narration import narrate
from shared.app.ports.sessions import (
    Commit,
    Committed,
    Request,
    RequestTaken,
    SessionStore,
    VersionConflict,
)
from shared.app.ports.timeline import Appended, Timeline
from shared.domain.errors import Conflict, Contended, DomainError
from shared.domain.session.attention import work
from shared.domain.session.commands import Command, Stop
from shared.domain.session.conversation import named
from shared.domain.session.decide import decide
from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.evolve import evolve_all, touched
from shared.domain.session.rules import Rules
from shared.domain.session.state import Session, SessionId
from shared.domain.timeline import Frame

MAX_TRIES = 12


@dataclass(frozen=True, slots=True)
class Changed:
    """The session after a command, and the prompt that its request stands for."""

    session: Session
    prompt: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    store: SessionStore
    timeline: Timeline
    aftermath: Aftermath
    rules: Rules
    clock: Callable[[], datetime]
    new_id: Callable[[], str]

    def load(self, session_id: SessionId) -> Session:
        """Raises `NotFound`."""
        return self.store.load(session_id)

    def handle(self, session_id: SessionId, command: Command) -> Session:
        """Safe to repeat: a command that changes nothing any more is answered with what is."""
        for _ in range(MAX_TRIES):
            before = self.store.load(session_id)
            if isinstance(command, Stop):
                command = named(before, command)
            now = self.clock()
            decision = decide(before, command, now=now, rules=self.rules)
            if decision == NOTHING:
                return before
            try:
                return self._commit(before, decision, now)
            except VersionConflict:
                continue
        raise Contended(f"session {session_id!r} has too many writers; try again")

    def handle_once(self, session_id: SessionId, command: Command, request: Request) -> Changed:
        """Like `handle`, and the same request id is answered with what it produced before.

        Raises `Conflict` when the id was used with other content.
        """
        for _ in range(MAX_TRIES):
            if (known := self._answered(session_id, request)) is not None:
                return Changed(self.store.load(session_id), known)
            before = self.store.load(session_id)
            now = self.clock()
            decision = decide(before, command, now=now, rules=self.rules)
            try:
                after = self._commit(before, decision, now, request)
            except (VersionConflict, RequestTaken):
                continue
            return Changed(after, after.prompts)
        raise Contended(f"session {session_id!r} has too many writers; try again")

    def _answered(self, session_id: SessionId, request: Request) -> int | None:
        answered = self.store.answered(session_id, request.id)
        if answered is None:
            return None
        if answered.fingerprint != request.fingerprint:
            raise Conflict(f"request {request.id!r} was used before, with other content")
        return answered.prompt

    def _commit(
        self, before: Session, decision: Decision, now: datetime, request: Request | None = None
    ) -> Session:
        told = narrate(before, decision.events)
        frame = Frame(self.new_id(), told) if told else None
        tail = self.timeline.before(before.id, None, limit=1) if frame else ()
        commit = self._to_commit(before, decision, now, frame, tail[-1].seq if tail else 0)
        committed = self.store.commit(replace(commit, request=request))
        self.aftermath.follow(before, commit.after, committed)
        return commit.after

    def handle_frame(
        self, session_id: SessionId, commands: Sequence[Command], frame: Frame, *, after: int
    ) -> Appended:
        """Store a bridge's frame and decide on what it says, in one commit and one slot.

        A command that the session's state rules out is left out: the frame is kept as it came.
        """
        for _ in range(MAX_TRIES):
            before = self.store.load(session_id)
            now = self.clock()
            decision = self._decide_all(before, commands, now)
            if decision == NOTHING:
                return self.timeline.append(session_id, frame, after=after, now=now)
            told = replace(frame, events=(*frame.events, *narrate(before, decision.events)))
            commit = self._to_commit(before, decision, now, told, after)
            try:
                committed = self.store.commit(commit)
            except VersionConflict:
                continue
            return self._followed(commit, committed)
        raise Contended(f"session {session_id!r} has too many writers; try again")

    def _decide_all(self, session: Session, commands: Sequence[Command], now: datetime) -> Decision:
        whole = NOTHING
        for command in commands:
            try:
                part = decide(session, command, now=now, rules=self.rules)
            except DomainError:
                continue
            whole += part
            session = evolve_all(session, part.events)
        return whole

    def _to_commit(
        self, before: Session, decision: Decision, now: datetime, frame: Frame | None, after: int
    ) -> Commit:
        evolved = touched(before, evolve_all(before, decision.events), now)
        return Commit(
            before=before,
            after=replace(evolved, version=before.version + 1),
            facts=decision.events,
            effects=decision.effects + work(before, evolved),
            frame=frame,
            after_slot=after,
            now=now,
        )

    def _followed(self, commit: Commit, committed: Committed) -> Appended:
        assert committed.entry is not None
        self.aftermath.follow(commit.before, commit.after, committed, publish=False)
        return Appended(committed.entry, committed.already)
