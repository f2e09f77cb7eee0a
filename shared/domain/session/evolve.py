"""What a session looks like after something happened to it."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import reduce
from typing import assert_never

from shared.domain.session.decision import (
    AttemptEnding,
    AttemptIdentified,
    AttemptLaunched,
    AttemptRetired,
    AttemptStarted,
    BootPhase,
    BranchPushed,
    BridgeConnected,
    BridgeReady,
    Event,
    IdleExtended,
    IdleSince,
    LifeBegunAgain,
    PhaseReported,
    PromptDispatched,
    PromptFinished,
    PromptQueued,
    SandboxMoved,
    SessionMoved,
    StopRequested,
    TaskArmed,
    TaskDisarmed,
    TitleSet,
    WorkspaceLost,
)
from shared.domain.session.moves import SANDBOX_MOVES, SESSION_MOVES, move
from shared.domain.session.state import (
    Attempt,
    PromptStatus,
    Running,
    SandboxStatus,
    Session,
    Workspace,
)


def evolve_all(session: Session, events: Iterable[Event]) -> Session:
    return reduce(evolve, events, session)


def touched(before: Session, after: Session, now: datetime) -> Session:
    """`after` with the time that the list is sorted by: prompts, settling and archiving move it.

    Never backwards: two functions may not agree on what time it is.
    """
    if (before.prompts, before.status) == (after.prompts, after.status):
        return after
    return replace(after, updated_at=max(now, before.updated_at))


def evolve(session: Session, event: Event) -> Session:
    match event:
        case (
            PromptQueued()
            | PromptDispatched()
            | StopRequested()
            | PromptFinished()
            | BranchPushed()
        ):
            return _conversation(session, event)
        case SessionMoved(status):
            return replace(session, status=move(SESSION_MOVES, session.status, status))
        case TitleSet(title):
            return replace(session, title=title)
        case SandboxMoved(status, _, error):
            moved = move(SANDBOX_MOVES, session.sandbox, status)
            return replace(session, sandbox=moved, error=_error(session, status, error))
        case AttemptStarted(number, resumed):
            started = Attempt(number=number, resumed=resumed)
            return replace(session, attempt=started, attempts=number)
        case AttemptRetired(_, provider_id):
            kept = session.workspace if provider_id is None else Workspace(provider_id)
            return replace(session, attempt=None, workspace=kept)
        case WorkspaceLost():
            return replace(session, workspace=Workspace())
        case BootPhase():
            return session
        case BridgeReady() | AttemptLaunched():
            return _with_files(replace(session, attempt=_attempt(_living(session), event)))
        case _:
            return replace(session, attempt=_attempt(_living(session), event))


type _Conversation = PromptQueued | PromptDispatched | StopRequested | PromptFinished | BranchPushed


def _conversation(session: Session, event: _Conversation) -> Session:
    match event:
        case PromptQueued(prompt):
            return replace(session, queue=(*session.queue, prompt), prompts=prompt.number)
        case PromptDispatched(number):
            first, *others = session.queue
            assert first.number == number
            return replace(session, running=Running(first), queue=tuple(others))
        case StopRequested():
            assert session.running is not None
            return replace(session, running=replace(session.running, stopping=True))
        case BranchPushed(_, branch, commit):
            return replace(session, branch=branch, commit=commit)
        case PromptFinished():
            return _finished(session, event)
        case _:
            assert_never(event)


def _finished(session: Session, event: PromptFinished) -> Session:
    running = session.running
    if running is not None and running.prompt.number == event.number:
        running = None
    return replace(
        session,
        running=running,
        queue=tuple(prompt for prompt in session.queue if prompt.number != event.number),
        last_outcome=_outcome(session, event.status),
        cost=session.cost + event.cost,
    )


def _outcome(session: Session, status: PromptStatus) -> PromptStatus | None:
    return session.last_outcome if status is PromptStatus.CANCELLED else status


def _error(session: Session, status: SandboxStatus, error: str | None) -> str | None:
    match status:
        case SandboxStatus.STALE | SandboxStatus.FAILED:
            return error
        case SandboxStatus.READY:
            return None
        case _:
            return session.error


def _with_files(session: Session) -> Session:
    """A sandbox that got ready holds the session's files, once it is known which one it is.

    The provider's answer may come after the sandbox has connected and got ready.
    """
    attempt = _living(session)
    if not attempt.ready or attempt.provider_id is None:
        return session
    return replace(session, workspace=Workspace(attempt.provider_id))


def _attempt(attempt: Attempt, event: Event) -> Attempt:
    match event:
        case AttemptIdentified(token_hash, cursor_key):
            return replace(attempt, token_hash=token_hash, cursor_key=cursor_key)
        case AttemptLaunched(provider_id, expires_at):
            return replace(attempt, provider_id=provider_id, expires_at=expires_at)
        case BridgeConnected():
            return replace(attempt, connected=True)
        case BridgeReady():
            return replace(attempt, ready=True)
        case PhaseReported(phase):
            return replace(attempt, phase=phase)
        case IdleSince() | IdleExtended():
            return _idle(attempt, event)
        case TaskArmed() | TaskDisarmed() | LifeBegunAgain():
            return _workflow(attempt, event)
        case AttemptEnding(ending):
            return replace(attempt, ending=ending, token_hash=None)
        case _:
            raise TypeError(f"{type(event).__name__} is not about an attempt")


def _idle(attempt: Attempt, event: IdleSince | IdleExtended) -> Attempt:
    match event:
        case IdleSince(due):
            return replace(attempt, idle_due=due, idle_extended=timedelta())
        case IdleExtended(due, by):
            return replace(attempt, idle_due=due, idle_extended=attempt.idle_extended + by)


def _workflow(attempt: Attempt, event: TaskArmed | TaskDisarmed | LifeBegunAgain) -> Attempt:
    match event:
        case TaskArmed(armed):
            return replace(attempt, armed=armed)
        case TaskDisarmed():
            return replace(attempt, armed=None)
        case LifeBegunAgain(life):
            return replace(attempt, life=life, armed=None)


def _living(session: Session) -> Attempt:
    assert session.attempt is not None
    return session.attempt
