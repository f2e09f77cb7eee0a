"""The steps of `sandbox_life`, the workflow that is the life of one attempt.

Each step adopts what exists, so the whole workflow may run again from its start: after a crash, a
redeploy, or a restart of the one machine. State lives in the session; the workflow carries ids, and
for each wait how long it may take.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.app.keeping import Keeper
from shared.app.launching import Launcher
from shared.app.ports.images import Images
from shared.app.ports.timeline import Timeline
from shared.app.sessions import Sessions
from shared.domain.errors import DomainError
from shared.domain.session.commands import (
    Arm,
    Clock,
    GiveUp,
    LifeEnded,
    Retire,
    SaveFailed,
    TimedOut,
    UseImage,
)
from shared.domain.session.failures import Failure
from shared.domain.session.rules import Moment
from shared.domain.session.sandbox import Boot, Wait
from shared.domain.session.state import Session, SessionId
from shared.domain.session.waits import outcome_of, seconds

logger = logging.getLogger(__name__)

type Answer = Mapping[str, Any]
"""`outcome`, and `seconds` where what follows is a wait."""

DONE: Answer = {"outcome": "done"}


@dataclass(frozen=True, slots=True)
class Life:
    """Which attempt a step is about."""

    session_id: SessionId
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lives:
    sessions: Sessions
    timeline: Timeline
    launcher: Launcher
    keeper: Keeper
    images: Images
    clock: Callable[[], datetime]

    def prepare(self, life: Life) -> Answer:
        """Whether there is something to launch, and from what."""
        session = self.sessions.load(life.session_id)
        attempt = session.current(life.attempt)
        heartbeat = self.sessions.rules.heartbeat.total_seconds()
        listening = max(1, round(heartbeat))
        plan = {"heartbeatSeconds": listening, "seconds": listening + 1}
        if attempt is None or attempt.ending:
            return {"outcome": "ended", **plan}
        # What an earlier life has launched is adopted; from an image it would be a second one.
        is_new = attempt.boot is Boot.FRESH and attempt.token_hash is None
        if is_new and (image := self.images.of(session.target)):
            self.sessions.handle(life.session_id, UseImage(life.attempt, image))
        return {"outcome": "launch", **plan}

    def launch(self, life: Life) -> Answer:
        """Have the attempt's sandbox run with its identity. Raises `Unavailable` to be retried."""
        return self._launched(life, runs=self.launcher.launch(life.session_id, life.attempt))

    def launch_failed(self, life: Life, error: str, failure: Failure) -> Answer:
        runs = self.launcher.failed(life.session_id, life.attempt, error, failure)
        return self._launched(life, runs=runs)

    def _launched(self, life: Life, *, runs: bool) -> Answer:
        session = self.sessions.load(life.session_id)
        left = seconds(session, Wait.CONNECT, self._moment(session))
        return {"outcome": "launched" if runs else "failed", "seconds": left}

    def wait(self, life: Life, wait: Wait, token: str) -> None:
        self.sessions.handle(life.session_id, Arm(life.attempt, wait, token))

    def question(self, life: Life, wait: Wait, clock: Clock) -> Answer:
        """A clock ran out: what does that mean to the attempt?"""
        self._look_at_sandbox(life, clock)
        asked = TimedOut(life.attempt, wait, clock, self._last_heard(life))
        return self._answer(life, self.sessions.handle(life.session_id, asked), wait)

    def _answer(self, life: Life, session: Session, wait: Wait) -> Answer:
        outcome, left = outcome_of(session, life.attempt, wait, self._moment(session))
        return {"outcome": outcome, "seconds": left}

    def _moment(self, session: Session) -> Moment:
        return Moment(self.clock(), self.sessions.rules.of(session.settings))

    def _look_at_sandbox(self, life: Life, clock: Clock) -> None:
        """The provider is asked when it has not said yet when a sandbox ends, and whether a silent
        one is there at all.

        What it can't say now is no reason to leave the question without an answer.
        """
        session = self.sessions.load(life.session_id)
        attempt = session.current(life.attempt)
        if attempt is None or attempt.ending or not attempt.connected:
            return
        if attempt.expires_at is not None and clock is not Clock.HEARTBEAT:
            return
        try:
            self.launcher.refresh(session, attempt)
        except DomainError as error:
            logger.warning("end_unknown", extra={"session_id": session.id, "code": error.code})

    def _last_heard(self, life: Life) -> datetime | None:
        newest = self.timeline.before(life.session_id, None, limit=100)
        heard = [entry.at for entry in newest if entry.frame.attempt == life.attempt]
        return heard[-1] if heard else None

    def checkpoint(self, life: Life) -> Answer:
        """A copy of the files between two turns; whatever becomes of it, the next turn may come."""
        session = self.sessions.load(life.session_id)
        attempt = session.current(life.attempt)
        if attempt is not None and attempt.saving:
            self.keeper.save(session, attempt, session.workspace.provider_id)
        return self._answer(life, self.sessions.load(life.session_id), Wait.SERVE)

    def checkpoint_failed(self, life: Life) -> Answer:
        failed = SaveFailed(life.attempt, "no copy of the files was made: it was cut off")
        return self._answer(life, self.sessions.handle(life.session_id, failed), Wait.SERVE)

    def preserve(self, life: Life) -> None:
        """Raises to be retried: nothing is destroyed meanwhile."""
        given_up = GiveUp(life.attempt, "the sandbox was given up", Failure.UNKNOWN)
        session = self.sessions.handle(life.session_id, given_up)
        attempt = session.current(life.attempt)
        if attempt is not None:
            self.keeper.put_away(session, attempt)

    def retire(self, life: Life) -> None:
        session = self.sessions.load(life.session_id)
        attempt = session.current(life.attempt)
        files = None if attempt is None else self.keeper.files(session, attempt)
        self.sessions.handle(life.session_id, Retire(life.attempt, files))

    def life_ended(self, life: Life, number: int) -> None:
        """This run of the workflow is over and has not retired its attempt: another begins."""
        self.sessions.handle(life.session_id, LifeEnded(life.attempt, number))
