"""A session's sandbox that does not come up any more: what is tried instead, and by whom.

Twice in a row it has to fail by what is in it; then the copy of its files is tried, once, and so on
in turn. Meanwhile it stays the session's: nothing takes its place before it has booted.
"""

from shared.domain.errors import Rejected
from shared.domain.session.commands import BeginAnew
from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.facts import FilesLeft, WakeFailed
from shared.domain.session.failures import Failure, told
from shared.domain.session.sandbox import Attempt, Boot
from shared.domain.session.state import Session

_OF_FILES = {Failure.WAKE, Failure.BOOT, Failure.SCRIPT, Failure.AGENT}
_PASSING = {Failure.TRANSIENT, Failure.LIMITS, Failure.STOPPED}


def blamed(session: Session, attempt: Attempt, failure: Failure | None) -> tuple[WakeFailed, ...]:
    """What a failed boot says about the session's files."""
    if failure is None:
        return ()
    if attempt.boot is Boot.RESUME and _is_of_files(attempt, failure):
        return (WakeFailed(session.workspace.failed_wakes + 1),)
    if attempt.boot is Boot.RESTORE and attempt.beside and failure not in _PASSING:
        return (WakeFailed(0),)
    return ()


def worded(error: str, failure: Failure, session: Session, attempt: Attempt) -> str:
    """With what people can do about it; `session` is as it is after that."""
    if not _is_of_files(attempt, failure):
        return told(error, failure)
    return f"{error}: {_ways_out(session, attempt)}"


def _is_of_files(attempt: Attempt, failure: Failure) -> bool:
    return attempt.resumed and not attempt.ready and failure in _OF_FILES


def _ways_out(session: Session, attempt: Attempt) -> str:
    files = session.workspace
    if files.boot is Boot.RESTORE:
        return "send the prompt again; the next sandbox is made from the last copy of its files"
    anew = f"`outboard anew {session.id}` begins with what was pushed"
    if files.snapshot is not None and attempt.boot is Boot.RESUME:
        return (
            f"send the prompt again; if it fails once more the copy of its files is tried; {anew}"
        )
    return f"send the prompt again, which finds the same files, or leave them: {anew}"


def begin_anew(session: Session, command: BeginAnew) -> Decision:
    """The files stay the session's until the sandbox that takes their place has booted."""
    if not session.status.accepts_prompts:
        raise Rejected(f"a session that is {session.status} begins nothing")
    if session.attempt is not None and session.attempt.ending is None:
        raise Rejected("its sandbox boots or runs; that can be asked when it is put away")
    if session.workspace.left:
        return NOTHING
    if not session.workspace.exists:
        raise Rejected("there are no files to leave: it begins with what was pushed anyway")
    return Decision((FilesLeft(command.by),))
