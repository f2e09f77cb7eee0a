"""What moves waiting prompts, and what a session's status says when none is left."""

from shared.domain.session.decision import (
    NOTHING,
    AttemptStarted,
    Decision,
    IdleSince,
    PromptDispatched,
    PromptFinished,
    SandboxMoved,
    SessionMoved,
    StartLife,
)
from shared.domain.session.evolve import evolve_all
from shared.domain.session.state import PromptStatus, SandboxStatus, Session, SessionStatus


def go_on(session: Session) -> Decision:
    """What moves waiting prompts: the free bridge, else a new attempt, else what is under way."""
    if not session.queue or session.running is not None:
        return NOTHING
    if session.attempt is None:
        return start(session)
    if not session.attempt.serves:
        return NOTHING  # ready or retired will come, and goes on here
    busy = (IdleSince(None),) if session.attempt.idle_due else ()
    return Decision((*busy, PromptDispatched(session.queue[0].number)))


def start(session: Session) -> Decision:
    """A new attempt, on the session's workspace if there is one."""
    number = session.attempts + 1
    return Decision(
        (
            AttemptStarted(number, resumed=session.workspace.exists),
            SandboxMoved(SandboxStatus.SPAWNING),
        ),
        (StartLife(number, life=1),),
    )


def settle(session: Session) -> Decision:
    """Dispatch what waits; when nothing does, let the session's status say how it went."""
    if session.unfinished:
        return go_on(session)
    if session.status is not SessionStatus.ACTIVE:
        return NOTHING
    return Decision((SessionMoved(settled_status(session.last_outcome)),))


def settled_status(outcome: PromptStatus | None) -> SessionStatus:
    match outcome:
        case None:
            return SessionStatus.CREATED
        case PromptStatus.COMPLETED:
            return SessionStatus.COMPLETED
        case _:
            return SessionStatus.FAILED


def close(
    session: Session, number: int, status: PromptStatus, error: str | None = None
) -> Decision:
    closed = Decision((PromptFinished(number=number, status=status, error=error),))
    return closed + settle(evolve_all(session, closed.events))
