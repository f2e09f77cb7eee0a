"""The inactivity clock, and the pokes by which it is read."""

from shared.domain.session.commands import Poke
from shared.domain.session.decision import NOTHING, ArmTimer, Decision
from shared.domain.session.ending import end
from shared.domain.session.facts import IdleExtended, IdleSince
from shared.domain.session.queue import go_on
from shared.domain.session.rules import Moment
from shared.domain.session.sandbox import Attempt, Ending
from shared.domain.session.state import Session


def idle(session: Session, moment: Moment) -> Decision:
    """Start the inactivity clock when nothing runs and nothing waits, unless it goes already."""
    attempt = session.attempt
    if attempt is None or not attempt.serves or attempt.idle_due is not None:
        return NOTHING
    if session.running is not None or (session.queue and not session.held):
        return NOTHING
    due = moment.now + moment.rules.inactivity
    return Decision((IdleSince(due),), (ArmTimer(attempt.number, due),))


def poke(session: Session, command: Poke, moment: Moment) -> Decision:
    if session.attempt is None:
        return _poke_waiting(session, command, moment)
    attempt = session.current(command.attempt)
    if attempt is None or attempt.ending or session.running or attempt.idle_due is None:
        return NOTHING
    if moment.now < attempt.idle_due:
        return Decision(effects=(ArmTimer(attempt.number, attempt.idle_due),))
    if attempt.saving or (command.watched and attempt.idle_extended < moment.rules.watched_limit):
        return _extend(attempt, moment)
    return end(session, Ending.INACTIVE, moment)


def _poke_waiting(session: Session, command: Poke, moment: Moment) -> Decision:
    """A start was put off because too much had failed."""
    if session.retry_at is None or command.attempt != session.attempts:
        return NOTHING
    if moment.now < session.retry_at:
        return Decision(effects=(ArmTimer(session.attempts, session.retry_at),))
    return go_on(session, moment)


def _extend(attempt: Attempt, moment: Moment) -> Decision:
    by = moment.rules.watched_extension
    due = moment.now + by
    return Decision((IdleExtended(due, by),), (ArmTimer(attempt.number, due),))
