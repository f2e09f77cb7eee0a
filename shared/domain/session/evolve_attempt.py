"""What an attempt looks like after something happened to it."""

from dataclasses import replace
from datetime import timedelta

from shared.domain.session.facts import (
    AttemptEnding,
    AttemptIdentified,
    AttemptLaunched,
    BootChosen,
    BootOver,
    BridgeConnected,
    BridgeReady,
    EndUnknown,
    IdleExtended,
    IdleSince,
    LifeBegunAgain,
    PhaseReported,
    SaveAsked,
    SaveBegan,
    SaveEnded,
    TaskArmed,
    TaskDisarmed,
)
from shared.domain.session.sandbox import Attempt, Boot

type Coming = (
    BootChosen
    | AttemptIdentified
    | AttemptLaunched
    | BridgeConnected
    | PhaseReported
    | BridgeReady
    | BootOver
)
type Waiting = EndUnknown | IdleSince | IdleExtended | TaskArmed | TaskDisarmed | LifeBegunAgain
type Saving = SaveAsked | SaveBegan | SaveEnded


def evolve_attempt(attempt: Attempt, event: Coming | Waiting | Saving | AttemptEnding) -> Attempt:
    match event:
        case SaveAsked() | SaveBegan() | SaveEnded():
            return _saving(attempt, event)
        case AttemptEnding(ending):
            return replace(
                attempt, ending=ending, token_hash=None, tunnels=(), saving=False, save_asked=False
            )
        case (
            BootChosen()
            | AttemptIdentified()
            | AttemptLaunched()
            | BridgeConnected()
            | PhaseReported()
            | BridgeReady()
            | BootOver()
        ):
            return _coming(attempt, event)
        case _:
            return _waiting(attempt, event)


def _coming(attempt: Attempt, event: Coming) -> Attempt:
    match event:
        case BootChosen(boot, image):
            # What was launched before is not what it begins with now: nobody may end it for that.
            begun = replace(attempt, provider_id=None, expires_at=None, tunnels=())
            beside = attempt.beside and boot is not Boot.RESUME
            return replace(begun, boot=boot, image=image, beside=beside)
        case AttemptIdentified(token_hash, cursor_key, boot_due):
            return replace(attempt, token_hash=token_hash, cursor_key=cursor_key, boot_due=boot_due)
        case AttemptLaunched(provider_id, expires_at, tunnels):
            return replace(
                attempt,
                provider_id=provider_id,
                expires_at=expires_at,
                end_known_by=None if expires_at else attempt.end_known_by,
                tunnels=() if attempt.ending else tunnels,
            )
        case BridgeConnected(marks):
            return replace(attempt, connected=True, marks=marks)
        case PhaseReported(phase, repository):
            return replace(attempt, phase=phase, repository=repository)
        case BridgeReady():
            return replace(attempt, ready=True)
        case BootOver():
            return replace(attempt, complete=True)


def _waiting(attempt: Attempt, event: Waiting) -> Attempt:
    match event:
        case EndUnknown(known_by):
            return replace(attempt, end_known_by=known_by)
        case IdleSince(due):
            return replace(attempt, idle_due=due, idle_extended=timedelta())
        case IdleExtended(due, by):
            return replace(attempt, idle_due=due, idle_extended=attempt.idle_extended + by)
        case TaskArmed(armed):
            return replace(attempt, armed=armed)
        case TaskDisarmed():
            return replace(attempt, armed=None)
        case LifeBegunAgain(life):
            return replace(attempt, life=life, armed=None)


def _saving(attempt: Attempt, event: Saving) -> Attempt:
    match event:
        case SaveAsked():
            return replace(attempt, save_asked=True)
        case SaveBegan(at):
            return replace(
                attempt, saving=True, save_asked=False, save_began_at=at, saves=attempt.saves + 1
            )
        case SaveEnded(error):
            return replace(attempt, saving=False, save_error=error)
