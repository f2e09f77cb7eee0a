"""What must hold of a session whenever it is stored."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from shared.domain.session.sandbox import MAX_LIVES, Attempt, Ending, SandboxStatus, Wait
from shared.domain.session.state import Session, SessionStatus, StopReason

BUFFER = timedelta(minutes=10)
NOBODYS = {Ending.RETARGETED, Ending.DAMAGED}
"""The files of an attempt that ended so are not the session's."""

DEAD = {SandboxStatus.STOPPED, SandboxStatus.STALE, SandboxStatus.FAILED}


def check_session(session: Session, now: datetime) -> None:
    waiting = [prompt.number for prompt in session.queue]
    assert session.unfinished <= 50
    assert all(number < later for number, later in pairwise(unfinished(session)))
    assert (session.unfinished > 0) == (session.status is SessionStatus.ACTIVE)
    assert waiting or not session.held, "only what waits is held"
    assert waiting or session.retry_at is None, "only what waits is put off"
    assert (session.finished is None) == (session.last_outcome is None)
    assert all(number > (session.finished or 0) for number in unfinished(session))
    names = {repository.name for repository in session.target}
    assert {known.repository for known in session.pull_requests} <= names
    assert {offer.repository for offer in session.offers} <= names
    if not session.status.accepts_prompts:
        assert session.attempt is None or session.attempt.ending, "a closed session needs none"
    if session.attempt is None:
        assert session.running is None
        postponed = session.held or session.retry_at is not None
        assert postponed or not waiting, "prompts without a sandbox have one started"
        assert session.sandbox in {SandboxStatus.PENDING, *DEAD}
    else:
        assert session.attempt.number == session.attempts
        assert session.retry_at is None
        _check_attempt(session, session.attempt, now)


def _check_attempt(session: Session, attempt: Attempt, now: datetime) -> None:
    assert session.sandbox in _shown(attempt)
    assert attempt.life <= MAX_LIVES or attempt.ending, "a worn-out attempt is put away"
    if session.running is not None:
        assert attempt.ready
        assert attempt.ending is None
        assert not attempt.saving
        assert attempt.idle_due is None
    if attempt.ready and not attempt.ending and not attempt.saving and session.running is None:
        may = not session.held and has_time(attempt, now)
        assert not may or not session.queue, "a free sandbox works"
        assert session.unfinished or attempt.idle_due, "an idle one will be put away"
    if attempt.saving:
        assert attempt.complete, "half a boot is not worth a copy"
    if attempt.ending is not None:
        _check_ended(session, attempt)
    if attempt.armed is not None:
        told = not known(session, attempt, attempt.armed.wait)
        assert told, "who waits for a fact has been told"
    if attempt.complete and attempt.ending is None and attempt.provider_id is not None:
        assert session.workspace.provider_id == attempt.provider_id, "it has the session's files"


def _check_ended(session: Session, attempt: Attempt) -> None:
    assert attempt.token_hash is None
    assert attempt.armed is None
    assert not attempt.tunnels
    assert not attempt.saving
    if attempt.ending in NOBODYS and attempt.provider_id is not None:
        assert session.workspace.provider_id != attempt.provider_id, "its files are nobody's"


def check_deadlines(session: Session, now: datetime) -> None:
    """What must hold once the session has looked at its clocks."""
    attempt, stop = session.attempt, session.running.stop if session.running else None
    if attempt is None or attempt.ending:
        return
    assert stop is None or now < stop.due, "a stop is confirmed in time"
    boot_due = None if attempt.complete else attempt.boot_due
    assert stop or boot_due is None or now < boot_due, "a boot is over in time"
    waits = session.queue and not session.held and not attempt.saving
    if attempt.ready and attempt.expires_at is None and waits and session.running is None:
        known_by = attempt.end_known_by
        assert known_by is not None, "that its end is unknown is told"
        assert now < known_by, "an unknown end does not hold prompts for ever"
    if attempt.ready and not attempt.saving and attempt.expires_at is not None:
        assert has_time(attempt, now) or stop is not None, "no turn meets the end of its sandbox"


def known(session: Session, attempt: Attempt, wait: Wait) -> bool:
    stopping = session.running is not None and session.running.stopping
    return {
        Wait.CONNECT: attempt.connected,
        Wait.READY: attempt.ready,
        Wait.SERVE: stopping or attempt.saving,
        Wait.STOP: not stopping,
    }[wait]


def has_time(attempt: Attempt, now: datetime) -> bool:
    return attempt.expires_at is not None and now < attempt.expires_at - BUFFER


def is_draining(session: Session) -> bool:
    stop = session.running.stop if session.running else None
    return stop is not None and stop.reason is StopReason.LIFETIME


def unfinished(session: Session) -> Sequence[int]:
    running = [session.running.prompt.number] if session.running else []
    return [*running, *(prompt.number for prompt in session.queue)]


def _shown(attempt: Attempt) -> set[SandboxStatus]:
    if attempt.ending is not None:
        return DEAD if attempt.ending is Ending.RETARGETED else {attempt.ending.sandbox}
    if attempt.saving:
        return {SandboxStatus.SNAPSHOTTING}
    if attempt.ready:
        return {SandboxStatus.READY}
    if attempt.connected:
        return {SandboxStatus.CONNECTING}
    return {SandboxStatus.SPAWNING, SandboxStatus.WARMING}
