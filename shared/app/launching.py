"""Has the sandbox of an attempt run: its own again, a copy of it, or a new one."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.app import tokens
from shared.app.identity import Endpoints, Handed, Place, identity_of
from shared.app.ports.rates import Rates
from shared.app.ports.sandboxes import (
    AccessRefused,
    Sandboxes,
    SandboxGone,
    SandboxInfo,
    SandboxLimited,
    SandboxRefused,
    SandboxSize,
    SnapshotGone,
)
from shared.app.ports.sealing import Unsealable
from shared.app.ports.workspace import Secrets
from shared.app.secret_store import SecretStore
from shared.app.sessions import Sessions
from shared.domain.rate import Rate
from shared.domain.secrets import TooMuch
from shared.domain.session.commands import (
    FilesGone,
    GiveUp,
    Launched,
    LaunchFailed,
    Launching,
    Vanished,
)
from shared.domain.session.failures import Failure
from shared.domain.session.sandbox import Attempt, Boot, ProviderId
from shared.domain.session.state import Session, SessionId
from shared.protocol.bridge import IDENTITY_PATH

logger = logging.getLogger(__name__)

SUPERVISOR = '"${OUTBOARD_ROOT:-}/opt/outboard/bin/supervisor"'
"""In the provider's shell: `OUTBOARD_ROOT` is set where a sandbox has no root of its own."""

CREATIONS = "sandbox-creations"
SHORT_WAIT = timedelta(seconds=20)
"""For our turn to create one: longer than that the workflow waits, not a function."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launcher:
    sessions: Sessions
    sandboxes: Sandboxes
    secrets: Secrets
    secret_store: SecretStore
    rates: Rates
    endpoints: Endpoints
    deployment: str
    lifetime: timedelta
    creations: Rate
    clock: Callable[[], datetime]
    sleep: Callable[[float], None]

    def launch(self, session_id: SessionId, number: int) -> bool:
        """Whether it runs. Raises `Unavailable` to be retried.

        What is gone for certain is replaced by the next best, each time once.
        """
        for _ in Boot:
            session = self.sessions.load(session_id)
            attempt = session.current(number)
            if attempt is None or attempt.ending:
                return False
            if attempt.connected:
                return self._adopt(session, attempt)
            try:
                self._launch(session, attempt)
            except SandboxGone as error:
                if not _lacks_files(attempt, error):
                    break
                self.sessions.handle(session_id, FilesGone(number, attempt.boot))
            except SandboxRefused as error:
                return self.failed(session_id, number, str(error), _refusal(attempt, error))
            except (Unsealable, TooMuch) as error:
                words = f"its secrets cannot be handed over: {error}"
                return self.failed(session_id, number, words, Failure.SECRETS)
            else:
                return True
        error = "the sandbox was gone as soon as it was made"
        return self.failed(session_id, number, error, Failure.UNKNOWN)

    def failed(self, session_id: SessionId, number: int, error: str, failure: Failure) -> bool:
        """What the provider says last may come after the bridge: then it was launched."""
        told = LaunchFailed(number, error, failure)
        attempt = self.sessions.handle(session_id, told).current(number)
        return attempt is not None and attempt.ending is None

    def refresh(self, session: Session, attempt: Attempt) -> SandboxInfo | None:
        """Tell the session what is known of its sandbox now; None: it is gone."""
        if attempt.provider_id is None:
            found = self.sandboxes.find(metadata(self.deployment, session.id, attempt))
            info = next(iter(found), None)
        else:
            info = self._info(session, attempt, attempt.provider_id)
        if info is not None and info.state == "running":
            self._launched(session, attempt, info)
        return info

    def _info(
        self, session: Session, attempt: Attempt, provider_id: ProviderId
    ) -> SandboxInfo | None:
        try:
            return self.sandboxes.info(provider_id)
        except SandboxGone:
            self.sessions.handle(session.id, Vanished(attempt.number, provider_id))
            return None

    def _adopt(self, session: Session, attempt: Attempt) -> bool:
        """The workflow runs again from its start, and the sandbox may have just lived on."""
        info = self.refresh(session, attempt)
        if info is None:
            return attempt.provider_id is None
        if info.state == "paused":
            # The provider's doing, and no sign that the next boot would fail as well.
            error = "the sandbox was stopped from outside, or the machine that it runs on was"
            self.sessions.handle(session.id, GiveUp(attempt.number, error, Failure.STOPPED))
            return False
        return True

    def _launch(self, session: Session, attempt: Attempt) -> None:
        token = tokens.new_sandbox_token(session.id, attempt.number)
        launching = Launching(attempt.number, tokens.digest(token), tokens.new_key())
        known = self.sessions.handle(session.id, launching).current(attempt.number)
        if known is None or not tokens.matches(token, known.token_hash):
            return  # it ended or connected meanwhile
        secrets = Handed(self.secrets.all(), self.secret_store.of_session(session))
        info = self._sandbox(session, attempt)
        place = Place(info.provider_id, self._launched(session, attempt, info))
        newest = self.sessions.load(session.id).current(attempt.number)
        if newest is None or not tokens.matches(token, newest.token_hash):
            return  # the provider took its time, and another launch has taken over
        identity = identity_of(
            session, attempt, token=token, secrets=secrets, endpoints=self.endpoints, place=place
        )
        content = identity.model_dump_json(by_alias=True).encode()
        self.sandboxes.write_secret(info.provider_id, IDENTITY_PATH, content)
        self.sandboxes.start(info.provider_id, SUPERVISOR)

    def _launched(
        self, session: Session, attempt: Attempt, info: SandboxInfo
    ) -> tuple[tuple[int, str], ...]:
        ports = session.settings.tunnel_ports or ()
        tunnels = tuple((port, self.sandboxes.address(info.provider_id, port)) for port in ports)
        provider_id = ProviderId(info.provider_id)
        launched = Launched(attempt.number, provider_id, info.ends_at, tunnels)
        self.sessions.handle(session.id, launched)
        return tunnels

    def _sandbox(self, session: Session, attempt: Attempt) -> SandboxInfo:
        """Resume the session's own, else adopt what a crash left, else create."""
        timeout = session.settings.lifetime or self.lifetime
        if attempt.boot is Boot.RESUME and session.workspace.provider_id is not None:
            return self.sandboxes.resume(session.workspace.provider_id, timeout=timeout)
        begun = metadata(self.deployment, session.id, attempt)
        for left in self.sandboxes.find(begun):
            return self.sandboxes.resume(left.provider_id, timeout=timeout)
        self._await_turn()
        return self.sandboxes.create(
            key=f"{session.id}-{attempt.number}-{attempt.boot}".lower(),
            metadata=begun,
            environment={},
            timeout=timeout,
            snapshot=_source(session, attempt),
            tunnels=bool(session.settings.tunnel_ports),
            size=SandboxSize(
                cpu_cores=session.settings.cpu_cores, memory_mib=session.settings.memory_mib
            ),
        )

    def _await_turn(self) -> None:
        """The provider takes so many a second from all of us together."""
        now = self.clock()
        wait = self.rates.reserve(CREATIONS, now, self.creations, within=SHORT_WAIT) - now
        if wait > SHORT_WAIT:
            raise SandboxLimited("too many sandboxes are being made at once", wait)
        if wait > timedelta():
            self.sleep(wait.total_seconds())


def metadata(deployment: str, session_id: SessionId, attempt: Attempt) -> Mapping[str, str]:
    """What a sandbox is found again by, also when nobody heard of its creation."""
    return {
        "outboard-deployment": deployment,
        "outboard-session": session_id,
        "outboard-attempt": str(attempt.number),
        "outboard-boot": attempt.boot,
    }


def _lacks_files(attempt: Attempt, error: SandboxGone) -> bool:
    """Whether what it begins with is gone; a new sandbox that dies says nothing about that."""
    return attempt.boot is Boot.RESUME or isinstance(error, SnapshotGone)


def _refusal(attempt: Attempt, error: SandboxRefused) -> Failure:
    """What the provider refuses everybody says nothing about this sandbox."""
    is_its_own = attempt.boot is Boot.RESUME and not isinstance(error, AccessRefused)
    return Failure.WAKE if is_its_own else Failure.PERMANENT


def _source(session: Session, attempt: Attempt) -> str | None:
    copy = session.workspace.snapshot
    match attempt.boot:
        case Boot.RESTORE if copy is not None:
            return copy.id
        case Boot.IMAGE:
            return attempt.image
        case _:
            return None


def failure_of(error: str) -> Failure:
    """By the class name that Step Functions knows of an error."""
    match error:
        case "SandboxLimited":
            return Failure.LIMITS
        case "Unavailable" | "SandboxUnavailable" | "Contended":
            return Failure.TRANSIENT
        case "SecretsUnavailable":
            return Failure.SECRETS
        case "SandboxRefused" | "AccessRefused":
            return Failure.PERMANENT
        case _:
            return Failure.UNKNOWN
