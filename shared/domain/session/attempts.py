"""Decisions about the sandbox: the life of one attempt, from its start until it is retired.

    start ─▶ launching ─▶ launched ─▶ connected ─▶ ready ─▶ ending chosen ─▶ retired
                │              │           │                     ▲
                └──────────────┴───────────┴──── failed ─────────┘

Whoever waits for a fact (the workflow, with a task token) is told by an effect, at the commit that
makes it a fact or at the one that begins to wait, whichever is later.
"""

from datetime import datetime, timedelta

from shared.domain.session.commands import (
    Arm,
    Clock,
    Launched,
    LaunchFailed,
    Launching,
    Poke,
    Retire,
    TimedOut,
)
from shared.domain.session.decision import (
    NOTHING,
    ArmTimer,
    AttemptEnding,
    AttemptIdentified,
    AttemptLaunched,
    AttemptRetired,
    BridgeConnected,
    BridgeReady,
    CompleteTask,
    Decision,
    IdleExtended,
    IdleSince,
    LifeBegunAgain,
    PhaseReported,
    SandboxMoved,
    StartLife,
    TaskArmed,
    TaskDisarmed,
    WorkspaceLost,
)
from shared.domain.session.evolve import evolve_all
from shared.domain.session.queue import close, go_on
from shared.domain.session.rules import Rules
from shared.domain.session.state import (
    MAX_LIVES,
    Armed,
    Attempt,
    Ending,
    Prompt,
    PromptStatus,
    SandboxStatus,
    Session,
    Wait,
)

ENDED = "ended"


def launching(session: Session, command: Launching) -> Decision:
    attempt = session.current(command.attempt)
    if attempt is None or attempt.ending or attempt.connected:
        return NOTHING
    if (attempt.token_hash, attempt.cursor_key) == (command.token_hash, command.cursor_key):
        return NOTHING
    return Decision((AttemptIdentified(command.token_hash, command.cursor_key),))


def launched(session: Session, command: Launched) -> Decision:
    """Kept even when the attempt has ended meanwhile: what was made must be put away."""
    attempt = session.current(command.attempt)
    if attempt is None:
        return NOTHING
    known = (attempt.provider_id, attempt.expires_at)
    if known == (command.provider_id, command.expires_at):
        return NOTHING
    if attempt.connected and attempt.provider_id not in {None, command.provider_id}:
        return NOTHING  # the bridge that works is in the other one, and so are the files
    return Decision((AttemptLaunched(command.provider_id, command.expires_at),))


def launch_failed(session: Session, command: LaunchFailed) -> Decision:
    attempt = session.current(command.attempt)
    if attempt is None or attempt.connected:
        return NOTHING  # a provider's error after the bridge came does not fail a working sandbox
    gone = command.workspace_gone and session.workspace.exists
    lost = Decision((WorkspaceLost(),)) if gone else NOTHING
    return lost + end(evolve_all(session, lost.events), Ending.FAILED, command.error)


def connect(session: Session, number: int) -> Decision:
    attempt = session.current(number)
    if attempt is None or attempt.ending or attempt.connected:
        return NOTHING
    connected = Decision((BridgeConnected(), SandboxMoved(SandboxStatus.CONNECTING)))
    return connected + _told(attempt, Wait.CONNECT, "connected")


def report_phase(session: Session, number: int, phase: str) -> Decision:
    attempt = session.current(number)
    if attempt is None or attempt.ending or attempt.ready or attempt.phase == phase:
        return NOTHING
    return Decision((PhaseReported(phase),))


def become_ready(session: Session, number: int, now: datetime, rules: Rules) -> Decision:
    attempt = session.current(number)
    if attempt is None or attempt.ending or attempt.ready:
        return NOTHING
    ready = (
        connect(session, number)
        + Decision((BridgeReady(), SandboxMoved(SandboxStatus.READY)))
        + _told(attempt, Wait.READY, "ready")
    )
    after = evolve_all(session, ready.events)
    return ready + go_on(after) + idle(after, now, rules)


def give_up(session: Session, number: int, error: str) -> Decision:
    attempt = session.current(number)
    if attempt is None:
        return NOTHING
    return end(session, _broken(attempt), error)


def _broken(attempt: Attempt) -> Ending:
    """Before it was ready nothing was lost but the boot; afterwards the runtime died."""
    return Ending.STALE if attempt.ready else Ending.FAILED


def arm(session: Session, command: Arm) -> Decision:
    """Begin to wait, unless what is waited for is a fact already: then say so at once."""
    attempt = session.current(command.attempt)
    outcome = ENDED if attempt is None else _fact(attempt, command.wait)
    if outcome is not None:
        return Decision(effects=(CompleteTask(command.token, outcome),))
    armed = Armed(command.wait, command.token)
    already = attempt is not None and attempt.armed == armed
    return NOTHING if already else Decision((TaskArmed(armed),))


def _fact(attempt: Attempt, wait: Wait) -> str | None:
    if attempt.ending:
        return ENDED
    if wait is Wait.CONNECT and attempt.connected:
        return "connected"
    if wait is Wait.READY and attempt.ready:
        return "ready"
    return None


def _told(attempt: Attempt, wait: Wait, outcome: str) -> Decision:
    if attempt.armed is None or attempt.armed.wait is not wait:
        return NOTHING
    return Decision((TaskDisarmed(),), (CompleteTask(attempt.armed.token, outcome),))


def timed_out(session: Session, command: TimedOut, now: datetime, rules: Rules) -> Decision:
    """Whether a clock that ran out ends the attempt. `NOTHING` lets it go on."""
    attempt = session.current(command.attempt)
    if attempt is None or _fact(attempt, command.wait) is not None:
        return NOTHING
    heard = command.last_heard is not None and now - command.last_heard < rules.heartbeat
    if command.clock is Clock.HEARTBEAT and heard:
        return NOTHING
    match command.wait, command.clock:
        case Wait.CONNECT, _:
            watchdog = _words(rules.connect_watchdog)
            return end(session, Ending.FAILED, f"the sandbox did not connect within {watchdog}")
        case _, Clock.HEARTBEAT:
            silence = _words(rules.heartbeat)
            return end(session, _broken(attempt), f"the sandbox was silent for {silence}")
        case Wait.READY, _:
            budget = _words(rules.boot_budget)
            error = f"the boot took longer than {budget} (SANDBOX_BOOT_TIMEOUT_MS)"
            return end(session, Ending.FAILED, error)
        case Wait.SERVE, _:
            return end(session, Ending.LIFETIME, "the sandbox reached the end of its lifetime")


def _words(duration: timedelta) -> str:
    seconds = duration.total_seconds()
    return f"{seconds:g} seconds" if seconds < 2 * 60 else f"{seconds / 60:g} minutes"


def end(session: Session, ending: Ending, error: str | None = None) -> Decision:
    """Choose why the attempt is over: its token dies now, and an interrupted prompt fails once.

    A failed boot costs the prompt that waited for it; those behind it are not to blame.
    """
    attempt = session.attempt
    if attempt is None or attempt.ending:
        return NOTHING
    if ending is Ending.FAILED:
        error = f"the boot failed in phase {attempt.phase}: {error}"
    told = (CompleteTask(attempt.armed.token, ENDED),) if attempt.armed else ()
    disarmed = (TaskDisarmed(),) if attempt.armed else ()
    ended = Decision(
        (*disarmed, AttemptEnding(ending, error), SandboxMoved(ending.sandbox, ending, error)),
        told,
    )
    victim = _interrupted(session, ending)
    if victim is None:
        return ended
    after = evolve_all(session, ended.events)
    return ended + close(after, victim.number, PromptStatus.FAILED, error)


def _interrupted(session: Session, ending: Ending) -> Prompt | None:
    if session.running is not None:
        return session.running.prompt
    return session.queue[0] if ending is Ending.FAILED and session.queue else None


def life_ended(session: Session, number: int, life: int) -> Decision:
    """Begin the workflow again: it adopts what it finds.

    An attempt that wore out its lives is given up, and its next life only puts the sandbox away.
    That is tried for as long as it takes: nothing may be retired before its files are safe.
    """
    attempt = session.current(number)
    if attempt is None or attempt.life != life:
        return NOTHING
    worn_out = life >= MAX_LIVES
    error = f"the workflow of the sandbox ended {life} times"
    ended = end(session, _broken(attempt), error) if worn_out else NOTHING
    return ended + Decision((LifeBegunAgain(life + 1),), (StartLife(number, life + 1),))


def retire(session: Session, command: Retire) -> Decision:
    """The last fact of an attempt; what waits in the queue gets the next one.

    A sandbox whose boot was not finished is never kept as the session's files.
    """
    attempt = session.current(command.attempt)
    if attempt is None:
        return NOTHING
    ended = end(session, _broken(attempt), "the sandbox was given up")
    has_files = attempt.ready or session.workspace.exists
    provider_id = command.provider_id if has_files else None
    gone = Decision((AttemptRetired(command.attempt, provider_id),))
    return ended + gone + go_on(evolve_all(session, (*ended.events, *gone.events)))


def idle(session: Session, now: datetime, rules: Rules) -> Decision:
    """Start the inactivity clock when nothing runs and nothing waits."""
    attempt = session.attempt
    if attempt is None or not attempt.serves or session.unfinished:
        return NOTHING
    due = now + rules.inactivity
    return Decision((IdleSince(due),), (ArmTimer(attempt.number, due),))


def poke(session: Session, command: Poke, now: datetime, rules: Rules) -> Decision:
    attempt = session.current(command.attempt)
    if attempt is None or not attempt.serves or session.unfinished or attempt.idle_due is None:
        return NOTHING
    if now < attempt.idle_due:
        return Decision(effects=(ArmTimer(attempt.number, attempt.idle_due),))
    if command.watched and attempt.idle_extended < rules.watched_limit:
        due = now + rules.watched_extension
        extended = IdleExtended(due, rules.watched_extension)
        return Decision((extended,), (ArmTimer(attempt.number, due),))
    return end(session, Ending.INACTIVE)
