"""Copies of a session's files: made between turns, stamped with what is in them.

A copy is the second net: the first is the sandbox itself, which is put away and never thrown away.
"""

from shared.domain.errors import Rejected
from shared.domain.session.commands import Saved, SaveFailed
from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.evolve import evolve_all
from shared.domain.session.facts import FilesSaved, SandboxMoved, SaveAsked, SaveBegan, SaveEnded
from shared.domain.session.idle import idle
from shared.domain.session.queue import go_on
from shared.domain.session.rules import Moment
from shared.domain.session.sandbox import Attempt, Ending, SandboxStatus, Snapshot
from shared.domain.session.state import PromptStatus, Session


def after_turn(session: Session, moment: Moment) -> Decision:
    """The queue is empty: keep what was done, unless the last copy is quite new."""
    attempt = session.attempt
    if attempt is None or not attempt.serves or not attempt.complete or session.unfinished:
        return NOTHING
    if attempt.save_asked or _is_due(session, attempt, moment):
        return _begin(moment)
    return NOTHING


def _is_due(session: Session, attempt: Attempt, moment: Moment) -> bool:
    if session.last_outcome is not PromptStatus.COMPLETED:
        return False
    if not session.workspace.has_unsaved_turns:
        return False
    copy = session.workspace.snapshot
    tried = [at for at in (copy and copy.at, attempt.save_began_at) if at is not None]
    return not tried or moment.now - max(tried) >= moment.rules.save_interval


def _begin(moment: Moment) -> Decision:
    return Decision((SaveBegan(moment.now), SandboxMoved(SandboxStatus.SNAPSHOTTING)))


def save(session: Session, moment: Moment) -> Decision:
    """Somebody asks. Raises `Rejected` while there is nothing to copy, or only half of it."""
    attempt = session.attempt
    if attempt is None or attempt.ending:
        raise Rejected("no sandbox is running; the files are kept as they are")
    if not attempt.complete:
        raise Rejected("the sandbox is still booting")
    if session.running is not None:
        return NOTHING if attempt.save_asked else Decision((SaveAsked(),))
    return NOTHING if attempt.saving else _begin(moment)


def saved(session: Session, command: Saved, moment: Moment) -> Decision:
    """Stamps only the attempt that it was taken from, and also one that has ended meanwhile.

    Never half a boot, nor what the session has turned away from.
    """
    attempt = session.current(command.attempt)
    if attempt is None or not attempt.complete:
        return NOTHING
    if attempt.ending in {Ending.RETARGETED, Ending.DAMAGED}:
        return NOTHING
    copy = Snapshot(command.snapshot, command.turn, command.marker, moment.now)
    kept = _kept(session.workspace.snapshot, copy)
    return kept + _ended(evolve_all(session, kept.events), attempt, moment)


def _kept(before: Snapshot | None, copy: Snapshot) -> Decision:
    if before is not None and (before.id == copy.id or before.turn > copy.turn):
        return NOTHING  # two runs of a workflow may have copied, and the slower one has the older
    return Decision((FilesSaved(copy),))


def save_failed(session: Session, command: SaveFailed, moment: Moment) -> Decision:
    """A warning, never a failed prompt."""
    attempt = session.current(command.attempt)
    if attempt is None:
        return NOTHING
    if not attempt.saving:
        known = attempt.save_error == command.error
        return NOTHING if known else Decision((SaveEnded(command.error),))
    return _ended(session, attempt, moment, command.error)


def _ended(
    session: Session, attempt: Attempt, moment: Moment, error: str | None = None
) -> Decision:
    """Prompts go on, if it still was what they waited for."""
    if not attempt.saving:
        return NOTHING
    ended = Decision((SaveEnded(error), SandboxMoved(SandboxStatus.READY)))
    after = evolve_all(session, ended.events)
    on = go_on(after, moment)
    return ended + on + idle(evolve_all(after, on.events), moment)
