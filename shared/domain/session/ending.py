"""Why an attempt is over, and what that does to the prompt that it was for."""

from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.evolve import evolve_all
from shared.domain.session.facts import (
    AttemptEnding,
    BootOver,
    QueueHeld,
    SandboxMoved,
    WarmthWanted,
)
from shared.domain.session.failures import Failure
from shared.domain.session.queue import close
from shared.domain.session.rules import Moment
from shared.domain.session.sandbox import Attempt, Boot, Ending
from shared.domain.session.state import Prompt, PromptStatus, Session, StopReason
from shared.domain.session.waking import blamed, worded

LIFETIME_OVER = "the sandbox reached the end of its lifetime"
INTERRUPTED = f"{LIFETIME_OVER} and the turn was cut off; its files are kept"
HELD = "a turn was cut off by the end of its sandbox; resume the queue to go on"


def end(
    session: Session,
    ending: Ending,
    moment: Moment,
    error: str | None = None,
    failure: Failure | None = None,
) -> Decision:
    """Choose why the attempt is over: its token dies now, and an interrupted prompt ends once.

    A failed boot costs the prompt that waited for it; those behind it are not to blame. One of an
    image costs nobody's, if the image may be: the next attempt does without.
    """
    attempt = session.attempt
    if attempt is None or attempt.ending:
        return NOTHING
    if ending is Ending.FAILED and _may_blame_its_image(attempt, failure):
        ending = Ending.IMAGE
    failure = None if ending is Ending.IMAGE else failure
    about_files = blamed(session, attempt, failure) if ending is Ending.FAILED else ()
    error = _worded(evolve_all(session, about_files), attempt, ending, error, failure)
    counts = failure is not None and failure.counts and ending is Ending.FAILED
    counted = moment.now if counts else None
    ended = Decision(
        (
            *(worked_in(session) if ending is not Ending.FAILED else ()),
            AttemptEnding(ending, error, counted),
            SandboxMoved(ending.sandbox, ending, error),
            *about_files,
            *_warmth(session, ending),
        )
    )
    victim = _interrupted(session, ending)
    if victim is None:
        return ended
    after = evolve_all(session, ended.events)
    closed = close(after, victim.number, _verdict(session), moment, error=error)
    return ended + closed + _held(session, ending)


def worked_in(session: Session) -> tuple[BootOver, ...]:
    """An agent may write as soon as its boot is over, which may not have been heard yet."""
    is_over = session.attempt is None or session.attempt.complete
    return (BootOver(),) if session.running is not None and not is_over else ()


def _warmth(session: Session, ending: Ending) -> tuple[WarmthWanted, ...]:
    """Who had a sandbox warmed up did not mean that image, or those files."""
    wanted = ending in {Ending.IMAGE, Ending.DAMAGED} and not session.unfinished
    return (WarmthWanted(),) if wanted else ()


def _may_blame_its_image(attempt: Attempt, failure: Failure | None) -> bool:
    counts = failure is not None and failure.counts
    return attempt.boot is Boot.IMAGE and not attempt.ready and counts


def _worded(
    session: Session,
    attempt: Attempt,
    ending: Ending,
    error: str | None,
    failure: Failure | None,
) -> str | None:
    if error is not None and failure is not None:
        error = worded(error, failure, session, attempt)
    if ending is not Ending.FAILED:
        return error
    where = f" for {attempt.repository}" if attempt.repository else ""
    return f"the boot failed in phase {attempt.phase}{where}: {error}"


def _interrupted(session: Session, ending: Ending) -> Prompt | None:
    if session.running is not None:
        return session.running.prompt
    waits = ending is Ending.FAILED and session.queue and not session.held
    return session.queue[0] if waits else None


def _verdict(session: Session) -> PromptStatus:
    """What people had stopped is stopped, whatever else went wrong with it."""
    stop = session.running.stop if session.running else None
    asked = stop is not None and stop.reason is StopReason.ASKED
    return PromptStatus.STOPPED if asked else PromptStatus.FAILED


def _held(session: Session, ending: Ending) -> Decision:
    if ending is not Ending.LIFETIME or not session.queue:
        return NOTHING
    return Decision((QueueHeld(HELD),))
