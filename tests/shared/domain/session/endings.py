"""Who may end an attempt, and how: written down a second time, in other words than the rules'."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.domain.session import commands
from shared.domain.session.failures import Failure
from shared.domain.session.sandbox import Attempt, Boot, Ending, Wait
from shared.domain.session.state import Session, StopReason
from tests.shared.domain.session.invariants import has_time, is_draining, known

SILENCE = timedelta(seconds=90)
OF_THE_BOOT = {Failure.SCRIPT, Failure.REPOSITORY}


@dataclass(frozen=True, slots=True)
class Asked:
    session: Session
    """As it was before anything of this was decided."""
    command: commands.Command
    now: datetime


def check_ending(asked: Asked, ending: Ending) -> None:
    session, command, now = asked.session, asked.command, asked.now
    attempt = session.attempt
    assert attempt is not None
    broken = Ending.STALE if attempt.ready else Ending.FAILED
    if ending is Ending.IMAGE and not isinstance(command, commands.FilesGone):
        assert attempt.boot is Boot.IMAGE
        assert not attempt.ready
        ending = Ending.FAILED  # which is what it would be without the image
    match command:
        case commands.GiveUp(failure=failure):
            half = failure in OF_THE_BOOT and not attempt.complete
            assert ending is (Ending.FAILED if half else broken)
        case commands.Retire() | commands.LifeEnded() | commands.Vanished():
            assert ending is broken
        case commands.LaunchFailed() | commands.FilesGone():
            assert not attempt.connected
            assert ending in {Ending.FAILED, Ending.IMAGE}
            assert ending is Ending.FAILED or attempt.boot is Boot.IMAGE
        case commands.TimedOut():
            assert not known(session, attempt, command.wait)
            silent = _is_silent(command, now) and ending is broken
            unconnected = command.wait is Wait.CONNECT and ending is Ending.FAILED
            assert silent or unconnected or _is_due(session, attempt, ending, now)
        case commands.Beat():
            assert _is_due(session, attempt, ending, now)
        case _:
            _check_choice(asked, attempt, ending)


def _is_silent(question: commands.TimedOut, now: datetime) -> bool:
    if question.clock is not commands.Clock.HEARTBEAT:
        return False
    return question.last_heard is None or now - question.last_heard >= SILENCE


def _is_due(session: Session, attempt: Attempt, ending: Ending, now: datetime) -> bool:
    """Whether a deadline of the attempt's own has passed."""
    stop = session.running.stop if session.running else None
    match ending:
        case Ending.LIFETIME if stop is not None:
            return stop.reason is StopReason.LIFETIME and now >= stop.due
        case Ending.LIFETIME:
            return session.running is None and not has_time(attempt, now)
        case Ending.STALE if stop is not None:
            return stop.reason is StopReason.ASKED and now >= stop.due
        case Ending.FAILED if attempt.ready and attempt.expires_at is None:
            return attempt.end_known_by is not None and now >= attempt.end_known_by
        case _:
            assert ending is (Ending.STALE if attempt.ready else Ending.FAILED)
            due = attempt.boot_due
            return not attempt.complete and due is not None and now >= due


def _check_choice(asked: Asked, attempt: Attempt, ending: Ending) -> None:
    session, now = asked.session, asked.now
    match asked.command:
        case commands.Poke():
            assert attempt.idle_due is not None
            assert now >= attempt.idle_due
            assert not attempt.saving
            assert ending is Ending.INACTIVE
        case commands.BecomeReady():
            assert ending is Ending.FAILED
            assert attempt.boot is not Boot.FRESH
            assert session.queue
            assert attempt.expires_at is not None
            assert not has_time(attempt, now)
        case commands.Cancel():
            assert ending is Ending.CANCELLED
        case commands.Choose():
            assert session.prompts == 0
            assert ending is Ending.RETARGETED
        case commands.Connect(marker=marker):
            copy = session.workspace.snapshot
            assert ending is Ending.DAMAGED
            assert copy is not None
            assert marker is not None
            assert marker < copy.marker
        case commands.FinishPrompt():
            assert ending is Ending.LIFETIME
            assert is_draining(session), "the end of a turn is not the end of its sandbox"
        case _:
            assert isinstance(asked.command, commands.Archive)
            assert ending is Ending.STOPPED
