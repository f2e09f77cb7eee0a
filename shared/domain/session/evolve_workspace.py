"""What a session's files are after something happened to them: the sandbox's, and the copy."""

from dataclasses import replace

from shared.domain.session.facts import (
    FilesLeft,
    FilesSaved,
    SnapshotLost,
    TurnLeft,
    TurnsMissed,
    WakeFailed,
    WorkspaceLost,
)
from shared.domain.session.sandbox import Attempt, Boot, Ending, ProviderId, Workspace
from shared.domain.session.state import Session

type Turns = TurnLeft | TurnsMissed | FilesSaved
type Worse = WorkspaceLost | SnapshotLost | WakeFailed | FilesLeft


def evolve_workspace(session: Session, event: Turns | Worse) -> Session:
    match event:
        case TurnLeft():
            return with_files(replace(session, workspace=_with_turns(session, event)))
        case TurnsMissed() | FilesSaved():
            return replace(session, workspace=_with_turns(session, event))
        case _:
            return replace(session, workspace=_worse(session.workspace, event))


def with_files(session: Session) -> Session:
    """A sandbox that has booted holds the session's files, once it is known which one it is.

    The provider's answer may come after the sandbox has connected and got ready.
    """
    attempt = living(session)
    if attempt.ending in {Ending.RETARGETED, Ending.DAMAGED}:
        return session
    if attempt.complete:
        session = _booted(session, attempt)
    elif attempt.beside or not session.workspace.turn:
        return session
    copy = session.workspace.snapshot
    if attempt.boot is Boot.RESTORE and copy and session.workspace.provider_id is None:
        session = replace(session, workspace=replace(session.workspace, base=copy.id))
    return kept(session, attempt.provider_id)


def kept(session: Session, provider_id: ProviderId | None) -> Session:
    if provider_id is None:
        return session
    return replace(session, workspace=replace(session.workspace, provider_id=provider_id))


def living(session: Session) -> Attempt:
    assert session.attempt is not None
    return session.attempt


def _booted(session: Session, attempt: Attempt) -> Session:
    """The sandbox of old is nobody's any more once another has booted in its place."""
    files = session.workspace
    if attempt.beside:
        files = _of_copy(files) if attempt.boot is Boot.RESTORE else Workspace()
    return replace(
        session,
        attempt=replace(attempt, beside=False),
        workspace=replace(files, failed_wakes=0, left=False),
    )


def _with_turns(session: Session, event: Turns) -> Workspace:
    attempt, workspace = living(session), session.workspace
    match event:
        case TurnLeft() if attempt.beside:
            return workspace  # it could only read
        case TurnLeft(number, marked):
            marker = number if attempt.marks and marked else workspace.marker
            return replace(workspace, turn=number, marker=marker)
        case TurnsMissed(marker) if attempt.beside and workspace.snapshot is not None:
            copy = workspace.snapshot
            older = replace(copy, marker=marker, turn=min(copy.turn, marker))
            return replace(workspace, snapshot=older)
        case TurnsMissed(marker):
            return replace(workspace, marker=marker, turn=min(workspace.turn, marker))
        case FilesSaved(snapshot):
            return replace(workspace, snapshot=snapshot)


def _worse(workspace: Workspace, event: Worse) -> Workspace:
    match event:
        case WorkspaceLost():
            return replace(_of_copy(workspace), left=workspace.left)
        case SnapshotLost():
            is_all = workspace.provider_id is None
            return Workspace() if is_all else replace(workspace, snapshot=None)
        case WakeFailed(times):
            return replace(workspace, failed_wakes=times)
        case FilesLeft():
            return replace(workspace, left=True)


def _of_copy(workspace: Workspace) -> Workspace:
    """What is left without the sandbox."""
    copy = workspace.snapshot
    return Workspace(None, copy.turn, copy.marker, copy) if copy else Workspace()
