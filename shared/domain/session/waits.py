"""What the workflow waits for, and the clocks that run meanwhile.

Whoever waits (with a task token) is told at the commit that makes it a fact, or at the one that
begins to wait, whichever is later. A clock that runs out is a question. The bridge's heartbeats ask
it as well, so that no deadline hangs on one clock alone.
"""

import math
from datetime import datetime, timedelta

from shared.domain.session.commands import Arm, Clock, TimedOut
from shared.domain.session.decision import NOTHING, CompleteTask, Decision
from shared.domain.session.ending import LIFETIME_OVER, end
from shared.domain.session.evolve import evolve_all
from shared.domain.session.facts import EndUnknown, StopRequested, TaskArmed, TaskDisarmed
from shared.domain.session.failures import Failure
from shared.domain.session.lifetime import drain_at
from shared.domain.session.rules import Moment
from shared.domain.session.sandbox import Armed, Attempt, Ending, Wait
from shared.domain.session.state import Session, Stopping, StopReason

ENDED = "ended"
GO_ON = "go_on"

_THEN = {
    "connected": Wait.READY,
    "ready": Wait.SERVE,
    "stopping": Wait.STOP,
    "stopped": Wait.SERVE,
}
"""What is waited for after each outcome."""

_LISTENING = {Wait.READY, Wait.SERVE}
"""Meanwhile the bridge has to be heard."""


def arm(session: Session, command: Arm, moment: Moment) -> Decision:
    """Begin to wait, unless what is waited for is a fact already: then say so at once."""
    attempt = session.current(command.attempt)
    outcome = ENDED if attempt is None else fact(session, attempt, command.wait)
    if outcome is not None:
        return Decision(effects=(_completion(session, command.token, outcome, moment),))
    armed = Armed(command.wait, command.token)
    already = attempt is not None and attempt.armed == armed
    return NOTHING if already else Decision((TaskArmed(armed),))


def fact(session: Session, attempt: Attempt, wait: Wait) -> str | None:
    """The outcome of a wait, as far as there is one; `attempt` is the living one."""
    if attempt.ending:
        return ENDED
    stopping = session.running is not None and session.running.stopping
    match wait:
        case Wait.CONNECT:
            return "connected" if attempt.connected else None
        case Wait.READY:
            return "ready" if attempt.ready else None
        case Wait.SERVE if stopping:
            return "stopping"
        case Wait.SERVE:
            return "checkpoint" if attempt.saving else None
        case Wait.STOP:
            return None if stopping else "stopped"


def news(session: Session, decision: Decision, moment: Moment) -> Decision:
    """What the one who waits has to be told when this decision is committed."""
    armed = session.attempt.armed if session.attempt else None
    after = evolve_all(session, decision.events)
    if session.attempt is None or armed is None:
        return NOTHING
    attempt = after.current(session.attempt.number)
    if attempt is None:
        return Decision(effects=(_completion(after, armed.token, ENDED, moment),))
    outcome = fact(after, attempt, armed.wait)
    if attempt.armed != armed or outcome is None:
        return NOTHING
    return Decision((TaskDisarmed(),), (_completion(after, armed.token, outcome, moment),))


def _completion(session: Session, token: str, outcome: str, moment: Moment) -> CompleteTask:
    then = _THEN.get(outcome)
    return CompleteTask(token, outcome, seconds(session, then, moment) if then else None)


def seconds(session: Session, wait: Wait, moment: Moment) -> int:
    """How long to wait for that from now on: at least one, as Step Functions wants it."""
    due, rules = _due(session, wait, moment), moment.rules
    # Each wait begins to listen anew: asked again sooner, a silent sandbox would never be noticed.
    left = rules.heartbeat + rules.expiry_unknown if due is None else due - moment.now
    if wait in _LISTENING:
        # Step Functions wants a heartbeat's time to be less than the whole; the bridge's own
        # heartbeats ask about deadlines that come before.
        left = max(left, rules.heartbeat + timedelta(seconds=1))
    return max(1, math.ceil(left.total_seconds()))


def _due(session: Session, wait: Wait, moment: Moment) -> datetime | None:
    rules, attempt, running = moment.rules, session.attempt, session.running
    match wait:
        case Wait.CONNECT:
            return moment.now + rules.connect_watchdog
        case Wait.READY:
            due = attempt.boot_due if attempt else None
            return due or moment.now + rules.boot_budget
        case Wait.SERVE:
            return drain_at(attempt, rules) if attempt else None
        case Wait.STOP:
            due = running.stop.due if running and running.stop else None
            return due or moment.now + rules.stop_confirmation


def outcome_of(session: Session, number: int, wait: Wait, moment: Moment) -> tuple[str, int]:
    """What a wait has come to, or `go_on`; and how long what follows may take."""
    attempt = session.current(number)
    outcome = ENDED if attempt is None else fact(session, attempt, wait) or GO_ON
    return outcome, seconds(session, _THEN.get(outcome, wait), moment)


def timed_out(session: Session, command: TimedOut, moment: Moment) -> Decision:
    """Whether a clock that ran out ends the attempt, or its turn. `NOTHING` lets it go on."""
    attempt = session.current(command.attempt)
    if attempt is None or fact(session, attempt, command.wait) is not None:
        return NOTHING
    rules = moment.rules
    if command.clock is Clock.HEARTBEAT and not _heard(command.last_heard, moment):
        ending, failure = broken(attempt)
        return end(session, ending, moment, _silent(rules.heartbeat), failure)
    if command.wait is Wait.CONNECT and command.clock is Clock.TIMEOUT:
        error = f"the sandbox did not connect within {words(rules.connect_watchdog)}"
        return end(session, Ending.FAILED, moment, error, Failure.BOOT)
    return overdue(session, attempt, moment)


def _heard(last: datetime | None, moment: Moment) -> bool:
    return last is not None and moment.now - last < moment.rules.heartbeat


def _silent(patience: timedelta) -> str:
    return f"the sandbox was silent for {words(patience)}"


def beat(session: Session, number: int, moment: Moment) -> Decision:
    attempt = session.current(number)
    return NOTHING if attempt is None else overdue(session, attempt, moment)


def overdue(session: Session, attempt: Attempt, moment: Moment) -> Decision:
    """What follows from its deadlines, whoever asks."""
    if attempt.ending:
        return NOTHING
    stop = session.running.stop if session.running else None
    if stop is not None:
        return NOTHING if moment.now < stop.due else _unconfirmed(session, stop, moment)
    if not attempt.complete and attempt.boot_due and moment.now >= attempt.boot_due:
        budget = words(moment.rules.boot_budget)
        error = f"the boot took longer than {budget} (SANDBOX_BOOT_TIMEOUT_MS)"
        ending, failure = broken(attempt)
        return end(session, ending, moment, error, failure)
    until = drain_at(attempt, moment.rules)
    if attempt.serves and until is not None and moment.now >= until:
        return _drain(session, moment)
    if attempt.serves and until is None and session.queue and not session.held:
        return _end_unknown(session, attempt, moment)
    return NOTHING


def _end_unknown(session: Session, attempt: Attempt, moment: Moment) -> Decision:
    """A turn is not begun in a sandbox that may end the next minute; nor does it wait for ever."""
    if attempt.end_known_by is None:
        return Decision((EndUnknown(moment.now + moment.rules.expiry_patience),))
    if moment.now < attempt.end_known_by:
        return NOTHING
    patience = words(moment.rules.expiry_patience)
    error = f"the provider has not said within {patience} when the sandbox ends"
    return end(session, Ending.FAILED, moment, error, Failure.TRANSIENT)


def _unconfirmed(session: Session, stop: Stopping, moment: Moment) -> Decision:
    """Nobody knows what still runs in there: it is put away, and another takes its place."""
    if stop.reason is StopReason.LIFETIME:
        return end(session, Ending.LIFETIME, moment, LIFETIME_OVER)
    patience = words(moment.rules.stop_confirmation)
    error = f"the agent did not confirm the stop within {patience}; its sandbox is replaced"
    return end(session, Ending.STALE, moment, error)


def _drain(session: Session, moment: Moment) -> Decision:
    if session.running is None:
        return end(session, Ending.LIFETIME, moment)
    stop = Stopping(StopReason.LIFETIME, moment.now + moment.rules.drain_stop)
    return Decision((StopRequested(session.running.prompt.number, None, stop),))


def broken(attempt: Attempt) -> tuple[Ending, Failure]:
    """Before it was ready nothing was lost but the boot; afterwards the runtime died."""
    if attempt.ready:
        return Ending.STALE, Failure.RUNTIME
    return Ending.FAILED, Failure.BOOT


def words(duration: timedelta) -> str:
    amount = duration.total_seconds()
    return f"{amount:g} seconds" if amount < 2 * 60 else f"{amount / 60:g} minutes"
