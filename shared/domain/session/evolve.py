"""What a session looks like after something happened to it."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from functools import reduce
from typing import assert_never

from shared.domain.session.decision import (
    AttemptEnding,
    AttemptIdentified,
    AttemptLaunched,
    AttemptRetired,
    AttemptStarted,
    BranchPushed,
    BridgeConnected,
    BridgeReady,
    Event,
    IdleExtended,
    IdleSince,
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
    Session,
    Workspace,
)


def evolve_all(session: Session, events: Iterable[Event]) -> Session:
    return reduce(evolve, events, session)


def touched(before: Session, after: Session, now: datetime) -> Session:
    """`after` with the time that the list is sorted by: prompts, settling and archiving move it."""
    if (before.prompts, before.status) == (after.prompts, after.status):
        return after
    return replace(after, updated_at=now)


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
            return replace(session, sandbox=moved, error=error or session.error)
        case AttemptStarted(number, resumed):
            started = Attempt(number=number, resumed=resumed)
            return replace(session, attempt=started, attempts=number)
        case AttemptRetired(_, provider_id):
            return replace(session, attempt=None, workspace=Workspace(provider_id))
        case WorkspaceLost():
            return replace(session, workspace=Workspace())
        case BridgeReady():
            return _ready(session)
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
        last_outcome=event.status,
        cost=session.cost + event.cost,
        error=None if event.status is PromptStatus.COMPLETED else session.error,
    )


def _ready(session: Session) -> Session:
    attempt = replace(_living(session), ready=True, connected=True)
    return replace(session, attempt=attempt, workspace=Workspace(attempt.provider_id))


def _attempt(attempt: Attempt, event: Event) -> Attempt:
    match event:
        case AttemptIdentified(token_hash, cursor_key):
            return replace(attempt, token_hash=token_hash, cursor_key=cursor_key)
        case AttemptLaunched(provider_id, expires_at):
            return replace(attempt, provider_id=provider_id, expires_at=expires_at)
        case BridgeConnected():
            return replace(attempt, connected=True)
        case PhaseReported(phase):
            return replace(attempt, phase=phase)
        case TaskArmed(armed):
            return replace(attempt, armed=armed)
        case TaskDisarmed():
            return replace(attempt, armed=None)
        case IdleSince(due):
            return replace(attempt, idle_due=due, idle_extended=type(attempt.idle_extended)())
        case IdleExtended(due, by):
            return replace(attempt, idle_due=due, idle_extended=attempt.idle_extended + by)
        case AttemptEnding(ending):
            return replace(attempt, ending=ending, token_hash=None)
        case _:
            raise TypeError(f"{type(event).__name__} is not about an attempt")


def _living(session: Session) -> Attempt:
    assert session.attempt is not None
    return session.attempt
