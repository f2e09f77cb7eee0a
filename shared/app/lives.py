"""The steps of `sandbox_life`, the workflow that is the life of one attempt.

Each step adopts what exists, so the whole workflow may run again from its start: after a crash, a
redeploy, or a restart of the one machine. State lives in the session; the workflow carries ids.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from shared.app import tokens
from shared.app.identity import Endpoints, identity_of
from shared.app.ports.sandboxes import (
    Sandboxes,
    SandboxGone,
    SandboxInfo,
    SandboxRefused,
)
from shared.app.ports.timeline import Timeline
from shared.app.ports.workspace import Secrets
from shared.app.sessions import Sessions
from shared.domain.errors import DomainError
from shared.domain.session.commands import (
    Arm,
    Clock,
    GiveUp,
    Launched,
    LaunchFailed,
    Launching,
    LifeEnded,
    Retire,
    TimedOut,
)
from shared.domain.session.state import (
    Attempt,
    ProviderId,
    Session,
    SessionId,
    Wait,
)
from shared.protocol.bridge import IDENTITY_PATH

logger = logging.getLogger(__name__)

SUPERVISOR = '"${OUTBOARD_ROOT:-}/opt/outboard/bin/supervisor"'
"""In the provider's shell: `OUTBOARD_ROOT` is set where a sandbox has no root of its own."""

SERVE_MARGIN = timedelta(minutes=2)
"""Before the provider would pause the sandbox by itself, we do it in order."""

type Prepared = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Life:
    """Which attempt a step is about."""

    session_id: SessionId
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lives:
    sessions: Sessions
    timeline: Timeline
    sandboxes: Sandboxes
    secrets: Secrets
    endpoints: Endpoints
    lifetime: timedelta
    clock: Callable[[], datetime]

    def prepare(self, life: Life) -> Prepared:
        session = self.sessions.load(life.session_id)
        attempt = session.current(life.attempt)
        rules = self.sessions.rules
        serve = self.lifetime - SERVE_MARGIN
        if attempt is not None and attempt.expires_at is not None:
            serve = attempt.expires_at - SERVE_MARGIN - self.clock()
        return {
            "outcome": "ended" if attempt is None or attempt.ending else "launch",
            "connectSeconds": _seconds(rules.connect_watchdog),
            "bootSeconds": _seconds(rules.boot_budget),
            "heartbeatSeconds": _seconds(rules.heartbeat),
            "serveSeconds": _seconds(serve),
        }

    def launch(self, life: Life) -> Literal["launched", "failed"]:
        """Have the attempt's sandbox run with its identity. Raises `Unavailable` to be retried."""
        session = self.sessions.load(life.session_id)
        attempt = session.current(life.attempt)
        if attempt is None or attempt.ending:
            return "failed"
        if attempt.connected:
            return self._adopt(life, attempt)
        try:
            self._launch(session, attempt)
        except SandboxGone:
            error = "the saved sandbox does not exist any more"
            return self.launch_failed(life, error, workspace_gone=attempt.resumed)
        except SandboxRefused as error:
            return self.launch_failed(life, str(error))
        return "launched"

    def _adopt(self, life: Life, attempt: Attempt) -> Literal["launched", "failed"]:
        """The workflow runs again from its start, and the sandbox may have just lived on."""
        if attempt.provider_id is None:
            return "launched"
        try:
            state = self.sandboxes.info(attempt.provider_id).state
        except SandboxGone:
            error = "the sandbox does not exist any more"
        else:
            if state == "running":
                return "launched"
            error = "the sandbox was stopped from outside; its files are kept"
        self.sessions.handle(life.session_id, GiveUp(life.attempt, error))
        return "failed"

    def _launch(self, session: Session, attempt: Attempt) -> None:
        token = tokens.new_sandbox_token(session.id, attempt.number)
        launching = Launching(attempt.number, tokens.digest(token), tokens.new_key())
        known = self.sessions.handle(session.id, launching).current(attempt.number)
        if known is None or not tokens.matches(token, known.token_hash):
            return  # it ended or connected meanwhile
        secrets = self.secrets.all()
        info = self._sandbox(session, attempt)
        provider_id = ProviderId(info.provider_id)
        self.sessions.handle(session.id, Launched(attempt.number, provider_id, info.ends_at))
        identity = identity_of(session, attempt, token, secrets, self.endpoints)
        content = identity.model_dump_json(by_alias=True).encode()
        self.sandboxes.write_secret(info.provider_id, IDENTITY_PATH, content)
        self.sandboxes.start(info.provider_id, SUPERVISOR)

    def _sandbox(self, session: Session, attempt: Attempt) -> SandboxInfo:
        """Resume the session's own, else adopt what a crash left, else create."""
        if attempt.resumed and session.workspace.provider_id is not None:
            return self.sandboxes.resume(session.workspace.provider_id, timeout=self.lifetime)
        metadata = _metadata(session.id, attempt.number)
        for left in self.sandboxes.find(metadata):
            return self.sandboxes.resume(left.provider_id, timeout=self.lifetime)
        return self.sandboxes.create(
            key=f"{session.id}-{attempt.number}".lower(),
            metadata=metadata,
            environment={},
            timeout=self.lifetime,
        )

    def launch_failed(
        self, life: Life, error: str, *, workspace_gone: bool = False
    ) -> Literal["launched", "failed"]:
        """What the provider says last may come after the bridge: then it was launched."""
        failed = LaunchFailed(life.attempt, error, workspace_gone)
        attempt = self.sessions.handle(life.session_id, failed).current(life.attempt)
        return "failed" if attempt is None or attempt.ending else "launched"

    def wait(self, life: Life, wait: Wait, token: str) -> None:
        armed = self.sessions.handle(life.session_id, Arm(life.attempt, wait, token))
        if wait is Wait.SERVE:
            self._keep(armed)

    def _keep(self, session: Session) -> None:
        """The state's own clock counts from now, so the provider's shall too."""
        attempt = session.attempt
        if attempt is None or attempt.ending or attempt.provider_id is None:
            return
        try:
            self.sandboxes.keep_until(attempt.provider_id, self.lifetime)
        except DomainError as error:
            logger.warning("lifetime_not_renewed", extra={"code": error.code})

    def question(self, life: Life, wait: Wait, clock: Clock) -> Literal["go_on", "ended"]:
        """A clock ran out: does that end the attempt?"""
        heard = self._last_heard(life)
        asked = TimedOut(life.attempt, wait, clock, heard)
        attempt = self.sessions.handle(life.session_id, asked).current(life.attempt)
        return "ended" if attempt is None or attempt.ending else "go_on"

    def _last_heard(self, life: Life) -> datetime | None:
        newest = self.timeline.before(life.session_id, None, limit=20)
        heard = [entry.at for entry in newest if entry.frame.attempt == life.attempt]
        return heard[-1] if heard else None

    def preserve(self, life: Life) -> None:
        """Make the files safe before the attempt is over. Raises to be retried, never guesses.

        Killed is only what this very attempt created and never got ready: nobody worked there,
        and nobody will, because the attempt is over first.
        """
        given_up = GiveUp(life.attempt, "the sandbox was given up")
        session = self.sessions.handle(life.session_id, given_up)
        attempt = session.current(life.attempt)
        if attempt is None:
            return
        if (files := self._files(session, attempt)) is not None:
            self._pause(files)
        elif not attempt.ready:
            for info in self.sandboxes.find(_metadata(life.session_id, life.attempt)):
                self.sandboxes.kill(info.provider_id)

    def _pause(self, provider_id: ProviderId) -> None:
        try:
            self.sandboxes.pause(provider_id)
        except SandboxGone:
            logger.warning("workspace_gone", extra={"provider_id": provider_id})

    def retire(self, life: Life) -> None:
        session = self.sessions.load(life.session_id)
        attempt = session.current(life.attempt)
        files = None if attempt is None else self._files(session, attempt)
        self.sessions.handle(life.session_id, Retire(life.attempt, files))

    def life_ended(self, life: Life, number: int) -> None:
        """This run of the workflow is over and has not retired its attempt: another begins."""
        self.sessions.handle(life.session_id, LifeEnded(life.attempt, number))

    def _files(self, session: Session, attempt: Attempt) -> ProviderId | None:
        """The sandbox with the session's files, also when nobody has told us its name yet."""
        if not attempt.ready and not attempt.resumed:
            return None
        if session.workspace.provider_id is not None or not attempt.ready:
            return session.workspace.provider_id
        found = self.sandboxes.find(_metadata(session.id, attempt.number))
        return ProviderId(found[0].provider_id) if found else None


def _metadata(session_id: SessionId, attempt: int) -> dict[str, str]:
    return {"outboard-session": session_id, "outboard-attempt": str(attempt)}


def _seconds(duration: timedelta) -> int:
    return max(1, round(duration.total_seconds()))
