"""Finds what nobody looks after: sandboxes without an owner, owners without a sandbox or workflow.

All that it does may be done again, and by two at once: it asks the session each time.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import assert_never

from shared.app.copies import copies_of, made_in, number
from shared.app.idleness import Idleness
from shared.app.ports.sandboxes import Sandboxes, SandboxGone, SandboxInfo
from shared.app.ports.sessions import SessionStore
from shared.app.ports.workflow import Lives as Workflow
from shared.app.sessions import Sessions
from shared.domain.errors import DomainError, NotFound
from shared.domain.session.commands import LifeEnded, Vanished
from shared.domain.session.ownership import Fate, fate_of, needs_copy
from shared.domain.session.sandbox import Attempt, ProviderId
from shared.domain.session.state import Session, SessionId

logger = logging.getLogger(__name__)


POKED_BY = timedelta(minutes=2)
"""A schedule of EventBridge's comes within a minute."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaper:
    sessions: Sessions
    idleness: Idleness
    store: SessionStore
    sandboxes: Sandboxes
    workflow: Workflow
    deployment: str
    clock: Callable[[], datetime]

    def reap(self) -> Mapping[str, int]:
        """How often what was done. One that fails does not keep the others waiting."""
        done: Counter[str] = Counter()
        there = self._listed(done)
        for info in there or ():
            self._try(done, lambda info=info: self._judge(info))
        seen = None if there is None else frozenset(info.provider_id for info in there)
        for session_id in self.store.alive():
            self._try(done, lambda session_id=session_id: self._look_after(session_id, seen))
        for name, snapshot in self._copies(done).items():
            self._try(done, lambda name=name, snapshot=snapshot: self._judge_copy(name, snapshot))
        return dict(done)

    def _listed(self, done: Counter[str]) -> Sequence[SandboxInfo] | None:
        try:
            return self.sandboxes.find({"outboard-deployment": self.deployment})
        except DomainError as error:
            return self._failed(done, error)

    def _copies(self, done: Counter[str]) -> Mapping[str, str]:
        try:
            return self.sandboxes.snapshots(copies_of(self.deployment))
        except DomainError as error:
            return self._failed(done, error) or {}

    def _failed(self, done: Counter[str], error: DomainError) -> None:
        logger.warning("not_reaped", extra={"code": error.code})
        done["failed"] += 1

    def _try(self, done: Counter[str], act: Callable[[], str]) -> None:
        try:
            done[act()] += 1
        except DomainError as error:
            self._failed(done, error)

    def _judge(self, info: SandboxInfo) -> str:
        provider_id = ProviderId(info.provider_id)
        session = self._session(info.metadata.get("outboard-session", ""))
        attempt = number(info.metadata.get("outboard-attempt", ""))
        fate = fate_of(session, provider_id, attempt, started_at=info.started_at, now=self.clock())
        match fate:
            case Fate.KEEP:
                return "kept"
            case Fate.PAUSE if info.state == "paused":
                return "kept"
            case Fate.PAUSE:
                self.sandboxes.pause(info.provider_id)
                return self._told("paused", info)
            case Fate.KILL:
                self.sandboxes.kill(info.provider_id)
                return self._told("killed", info)
            case _:
                assert_never(fate)

    def _told(self, what: str, info: SandboxInfo) -> str:
        session_id = info.metadata.get("outboard-session", "")
        extra = {"what": what, "sandbox_id": info.provider_id, "session_id": session_id}
        logger.warning("reaped", extra=extra)
        return what

    def _session(self, session_id: str) -> Session | None:
        try:
            return self.sessions.load(SessionId(session_id))
        except NotFound:
            return None

    def _look_after(self, session_id: SessionId, seen: frozenset[str] | None) -> str:
        """Whether the living attempt has what it believes in: its workflow and its sandbox."""
        session = self.sessions.load(session_id)
        self._poke_overdue(session)
        attempt = session.attempt
        if attempt is None:
            return "kept"
        match self.workflow.state(session_id, attempt.number, attempt.life):
            case "over":
                self.sessions.handle(session_id, LifeEnded(attempt.number, attempt.life))
                return "begun_again"
            case "unknown":
                # A start that was lost, or is just being made: by its name it is one.
                self.workflow.start(session_id, attempt.number, attempt.life)
                return "started"
            case "running":
                return self._look_after_sandbox(session, attempt, seen)

    def _poke_overdue(self, session: Session) -> None:
        """A schedule may lose its poke; what was due stands in the session."""
        due = session.attempt.idle_due if session.attempt else session.retry_at
        if due is not None and self.clock() - due > POKED_BY:
            logger.info("poke_made_up_for", extra={"session_id": session.id})
            self.idleness.poke(session.id, session.attempts)

    def _look_after_sandbox(
        self, session: Session, attempt: Attempt, seen: frozenset[str] | None
    ) -> str:
        """That it is gone has to be said twice, and not while it stands still for a copy."""
        if attempt.provider_id is None or seen is None or attempt.provider_id in seen:
            return "kept"
        if attempt.ending is not None or attempt.saving:
            return "kept"
        try:
            self.sandboxes.info(attempt.provider_id)
        except SandboxGone:
            self.sessions.handle(session.id, Vanished(attempt.number, attempt.provider_id))
            return "healed"
        return "kept"

    def _judge_copy(self, name: str, snapshot: str) -> str:
        made = made_in(self.deployment, name)
        if made is None:
            return "kept"
        session_id, attempt = made
        if needs_copy(self._session(session_id), snapshot, attempt):
            return "kept"
        self.sandboxes.forget_snapshot(snapshot)
        logger.info("reaped", extra={"what": "copy_forgotten", "session_id": session_id})
        return "copies_forgotten"
