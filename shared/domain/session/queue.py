"""What moves waiting prompts, and what a session's status says when none is left."""

from datetime import datetime

from shared.domain.session.decision import NOTHING, ArmTimer, Decision, StartLife
from shared.domain.session.evolve import evolve_all
from shared.domain.session.facts import (
    AttemptStarted,
    IdleSince,
    PromptDispatched,
    PromptFinished,
    SandboxMoved,
    SessionMoved,
    StartPostponed,
)
from shared.domain.session.failures import open_until
from shared.domain.session.lifetime import drain_at
from shared.domain.session.rules import Moment
from shared.domain.session.sandbox import Attempt, SandboxStatus
from shared.domain.session.state import PromptStatus, Session, SessionStatus


def go_on(session: Session, moment: Moment) -> Decision:
    """What moves waiting prompts: the free bridge, else a new attempt, else what is under way."""
    if not session.queue or session.running is not None or session.held:
        return NOTHING
    if session.attempt is None:
        return start(session, moment)
    if not session.attempt.serves or not _has_time(session.attempt, moment):
        return NOTHING  # ready, saved or retired will come, and goes on here
    busy = (IdleSince(None),) if session.attempt.idle_due else ()
    return Decision((*busy, PromptDispatched(session.queue[0].number)))


def _has_time(attempt: Attempt, moment: Moment) -> bool:
    """An end that nobody knows may be the next minute's."""
    until = drain_at(attempt, moment.rules)
    return until is not None and moment.now < until


def warm(session: Session, moment: Moment) -> Decision:
    """Have a sandbox ready; never a reason to fail, or to hurry what has failed before."""
    busy = session.attempt is not None or session.unfinished
    if busy or not session.status.accepts_prompts or open_until(session.failures, moment):
        return NOTHING
    return start(session, moment, warming=True)


def start(session: Session, moment: Moment, *, warming: bool = False) -> Decision:
    """A new attempt, on the session's files if there are any; later, if too much has failed."""
    if (until := open_until(session.failures, moment)) is not None:
        return _postpone(session, until)
    number = session.attempts + 1
    status = SandboxStatus.WARMING if warming else SandboxStatus.SPAWNING
    return Decision(
        (AttemptStarted(number, session.workspace.boot), SandboxMoved(status)),
        (StartLife(number, life=1),),
    )


def _postpone(session: Session, until: datetime) -> Decision:
    if session.retry_at == until:
        return NOTHING
    return Decision((StartPostponed(until),), (ArmTimer(session.attempts, until),))


def settle(session: Session, moment: Moment) -> Decision:
    """Dispatch what waits; when nothing does, let the session's status say how it went."""
    if session.unfinished:
        return go_on(session, moment)
    if session.status is not SessionStatus.ACTIVE:
        return NOTHING
    return Decision((SessionMoved(settled_status(session.last_outcome)),))


def settled_status(outcome: PromptStatus | None) -> SessionStatus:
    """A turn that people stopped is over as they wanted it to be: that is no failure."""
    match outcome:
        case None:
            return SessionStatus.CREATED
        case PromptStatus.COMPLETED | PromptStatus.STOPPED:
            return SessionStatus.COMPLETED
        case _:
            return SessionStatus.FAILED


def close(
    session: Session,
    number: int,
    status: PromptStatus,
    moment: Moment,
    *,
    error: str | None = None,
) -> Decision:
    closed = Decision((PromptFinished(number=number, status=status, error=error),))
    return closed + settle(evolve_all(session, closed.events), moment)
