"""What holds of every session that is stored, whatever time it is."""

from shared.domain.session.sandbox import Attempt
from shared.domain.session.state import Session, SessionStatus
from tests.simulation.must import must


def check_sound(session: Session) -> None:
    active = session.status is SessionStatus.ACTIVE
    must(active == (session.unfinished > 0), f"{session.status} with {session.unfinished} prompts")
    waiting = [prompt.number for prompt in session.queue]
    must(waiting == sorted(set(waiting)), f"the queue is {waiting}")
    if session.attempt is None:
        must(session.running is None, "a prompt runs, and there is no attempt")
        postponed = session.held or session.retry_at is not None
        must(postponed or not waiting, "prompts wait, and nothing is started")
        return
    must(session.attempt.number == session.attempts, "an attempt that is not the newest")
    if not session.status.accepts_prompts:
        must(session.attempt.ending, "a closed session keeps its sandbox")
    _check_attempt(session, session.attempt)


def _check_attempt(session: Session, attempt: Attempt) -> None:
    if session.running is not None:
        must(attempt.serves, "a prompt runs where nothing can run")
    if attempt.ending is not None:
        must(attempt.token_hash is None, "a token outlives its attempt")
        must(attempt.armed is None, "somebody waits with an attempt that has ended")
        must(not attempt.saving, "files are saved of an attempt that has ended")
