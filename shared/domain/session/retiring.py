"""The end of an attempt: its last fact, and a workflow that is over without having said it."""

from shared.domain.session.commands import Retire
from shared.domain.session.decision import NOTHING, Decision, StartLife
from shared.domain.session.ending import end
from shared.domain.session.evolve import evolve_all
from shared.domain.session.facts import AttemptRetired, LifeBegunAgain
from shared.domain.session.queue import go_on, warm
from shared.domain.session.rules import Moment
from shared.domain.session.sandbox import MAX_LIVES, Attempt, Ending
from shared.domain.session.state import Session
from shared.domain.session.waits import broken


def life_ended(session: Session, number: int, life: int, moment: Moment) -> Decision:
    """Begin the workflow again: it adopts what it finds.

    An attempt that wore out its lives is given up, and its next life only puts the sandbox away.
    That is tried for as long as it takes: nothing may be retired before its files are safe.
    """
    attempt = session.current(number)
    if attempt is None or attempt.life != life:
        return NOTHING
    ended = NOTHING
    if life >= MAX_LIVES:
        error = f"the workflow of the sandbox ended {life} times"
        ending, failure = broken(attempt)
        ended = end(session, ending, moment, error, failure)
    return ended + Decision((LifeBegunAgain(life + 1),), (StartLife(number, life + 1),))


def retire(session: Session, command: Retire, moment: Moment) -> Decision:
    """The last fact of an attempt; what waits in the queue gets the next one.

    A sandbox whose boot was not finished is never kept as the session's files.
    """
    attempt = session.current(command.attempt)
    if attempt is None:
        return NOTHING
    ending, failure = broken(attempt)
    ended = end(session, ending, moment, "the sandbox was given up", failure)
    provider_id = command.provider_id if _has_files(session, attempt) else None
    gone = Decision((AttemptRetired(command.attempt, provider_id),))
    return ended + gone + _next(evolve_all(session, (*ended.events, *gone.events)), moment)


def _has_files(session: Session, attempt: Attempt) -> bool:
    if attempt.ending in {Ending.RETARGETED, Ending.DAMAGED}:
        return False
    return attempt.complete or session.workspace.exists


def _next(session: Session, moment: Moment) -> Decision:
    if session.warm and not session.unfinished:
        return warm(session, moment)
    return go_on(session, moment)
