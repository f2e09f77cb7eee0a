"""What a session looks like after something happened to it."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from functools import reduce
from typing import TypedDict, assert_never

from shared.domain.session.evolve_attempt import evolve_attempt
from shared.domain.session.evolve_pull_requests import evolve_pull_requests
from shared.domain.session.evolve_workspace import evolve_workspace, kept, living, with_files
from shared.domain.session.facts import (
    AttemptEnding,
    AttemptLaunched,
    AttemptRetired,
    AttemptStarted,
    BootOver,
    BootPhase,
    BranchPushed,
    Event,
    FilesLeft,
    FilesSaved,
    PromptDispatched,
    PromptFinished,
    PromptQueued,
    PullRequestOffered,
    PullRequestRecorded,
    QueueHeld,
    QueueResumed,
    SandboxMoved,
    ScreenshotHandedIn,
    SessionMoved,
    SnapshotLost,
    StartPostponed,
    StopRequested,
    TargetChosen,
    TitleSet,
    TurnLeft,
    TurnsMissed,
    WakeFailed,
    WarmthWanted,
    WorkspaceLost,
)
from shared.domain.session.failures import remembered
from shared.domain.session.moves import SANDBOX_MOVES, SESSION_MOVES, move
from shared.domain.session.sandbox import (
    Attempt,
    Boot,
    Ending,
    SandboxStatus,
    Workspace,
)
from shared.domain.session.state import Prompt, PromptStatus, Push, Running, Session


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
        case SessionMoved() | TitleSet() | TargetChosen() | QueueHeld() | QueueResumed():
            return _session(session, event)
        case (
            PromptQueued()
            | PromptDispatched()
            | StopRequested()
            | PromptFinished()
            | BranchPushed()
            | ScreenshotHandedIn()
        ):
            return _conversation(session, event)
        case (
            TurnLeft()
            | TurnsMissed()
            | FilesSaved()
            | WorkspaceLost()
            | SnapshotLost()
            | WakeFailed()
            | FilesLeft()
        ):
            return evolve_workspace(session, event)
        case PullRequestRecorded() | PullRequestOffered():
            return evolve_pull_requests(session, event)
        case SandboxMoved() | StartPostponed() | WarmthWanted():
            return _sandbox(session, event)
        case AttemptStarted() | AttemptEnding() | AttemptRetired():
            return _lifecycle(session, event)
        case BootPhase():
            return session
        case _:
            changed = replace(session, attempt=evolve_attempt(living(session), event))
            return with_files(changed) if isinstance(event, BootOver | AttemptLaunched) else changed


type _Conversation = (
    PromptQueued
    | PromptDispatched
    | StopRequested
    | PromptFinished
    | BranchPushed
    | ScreenshotHandedIn
)


def _conversation(session: Session, event: _Conversation) -> Session:
    match event:
        case PromptQueued(prompt):
            return replace(session, queue=(*session.queue, prompt), prompts=prompt.number)
        case PromptDispatched(number):
            first, *others = session.queue
            assert first.number == number
            return replace(session, running=Running(first), **_waiting(session, others))
        case StopRequested(stop=stop):
            assert session.running is not None
            return replace(session, running=replace(session.running, stop=stop))
        case BranchPushed(repository, branch, commit):
            return replace(session, pushes=_pushes(session, Push(repository, branch, commit)))
        case ScreenshotHandedIn(id_):
            return replace(session, screenshots=(*session.screenshots, id_))
        case PromptFinished():
            return _finished(session, event)
        case _:
            assert_never(event)


def _pushes(session: Session, newest: Push) -> tuple[Push, ...]:
    order = [repository.name for repository in session.target]
    others = (push for push in session.pushes if push.repository != newest.repository)
    return tuple(sorted((*others, newest), key=lambda push: order.index(push.repository)))


def _finished(session: Session, event: PromptFinished) -> Session:
    running = session.running
    if running is not None and running.prompt.number == event.number:
        running = None
    waiting = [prompt for prompt in session.queue if prompt.number != event.number]
    return replace(
        session,
        running=running,
        cost=session.cost + event.cost,
        tokens=session.tokens + event.tokens,
        **_outcome(session, event),
        **_waiting(session, waiting),
    )


class _Waiting(TypedDict):
    queue: tuple[Prompt, ...]
    held: bool
    retry_at: datetime | None


def _waiting(session: Session, queue: Iterable[Prompt]) -> _Waiting:
    """Only what waits can be held, or put off."""
    waiting = tuple(queue)
    return {
        "queue": waiting,
        "held": session.held and bool(waiting),
        "retry_at": session.retry_at if waiting else None,
    }


class _Outcome(TypedDict):
    last_outcome: PromptStatus | None
    finished: int | None


def _outcome(session: Session, event: PromptFinished) -> _Outcome:
    if event.status is PromptStatus.CANCELLED:
        return {"last_outcome": session.last_outcome, "finished": session.finished}
    return {"last_outcome": event.status, "finished": event.number}


type _Session = SessionMoved | TitleSet | TargetChosen | QueueHeld | QueueResumed


def _session(session: Session, event: _Session) -> Session:
    match event:
        case SessionMoved(status):
            return replace(session, status=move(SESSION_MOVES, session.status, status))
        case TitleSet(title):
            return replace(session, title=title)
        case QueueHeld() | QueueResumed():
            return replace(session, held=isinstance(event, QueueHeld))
        case TargetChosen(target, settings, model, effort, environment):
            return replace(
                session,
                target=target,
                settings=settings,
                model=model,
                effort=effort,
                environment=environment,
                workspace=Workspace(),
                pull_requests=(),
                offers=(),
                image_refused=False,
            )


def _sandbox(session: Session, event: SandboxMoved | StartPostponed | WarmthWanted) -> Session:
    match event:
        case SandboxMoved(status, _, error):
            moved = move(SANDBOX_MOVES, session.sandbox, status)
            shown = replace(session, sandbox=moved, error=_error(session, status, error))
            is_well = status is SandboxStatus.READY
            return replace(shown, failures=()) if is_well else shown
        case StartPostponed(until):
            return replace(session, retry_at=until)
        case WarmthWanted():
            return replace(session, warm=True)


def _error(session: Session, status: SandboxStatus, error: str | None) -> str | None:
    match status:
        case SandboxStatus.STALE | SandboxStatus.FAILED:
            return error
        case SandboxStatus.READY:
            return None
        case _:
            return session.error


def _lifecycle(session: Session, event: AttemptStarted | AttemptEnding | AttemptRetired) -> Session:
    match event:
        case AttemptStarted(number, boot):
            files = session.workspace
            beside = files.left or (boot is not Boot.RESUME and files.provider_id is not None)
            attempt = Attempt(number=number, boot=boot, beside=beside)
            return replace(session, attempt=attempt, attempts=number, retry_at=None, warm=False)
        case AttemptEnding(ending, _, counted_at):
            failures, attempt = session.failures, living(session)
            # Without it, as the next boot from it would fail just the same.
            refused = ending is Ending.IMAGE or (attempt.boot is Boot.IMAGE and bool(counted_at))
            return replace(
                session,
                attempt=evolve_attempt(attempt, event),
                failures=remembered(failures, counted_at) if counted_at else failures,
                image_refused=session.image_refused or refused,
            )
        case AttemptRetired(_, provider_id):
            return kept(replace(session, attempt=None), provider_id)
