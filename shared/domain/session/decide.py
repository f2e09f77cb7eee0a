"""The rules of a session. No clock, no ids, no I/O: same arguments, same answer.

Safe to take again: on a lost race the caller loads the session anew and asks once more. Everything
late or repeated is answered with `NOTHING`.
"""

from datetime import datetime

from shared.domain.session import attempts, conversation
from shared.domain.session.commands import (
    Archive,
    Arm,
    BecomeReady,
    Cancel,
    CancelPrompt,
    Command,
    ConfirmStart,
    Connect,
    FinishPrompt,
    GiveUp,
    Launched,
    LaunchFailed,
    Launching,
    LifeEnded,
    Poke,
    RecordPush,
    Rename,
    ReportPhase,
    Retire,
    Stop,
    SubmitPrompt,
    TimedOut,
    Unarchive,
)
from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.rules import DEFAULT_RULES, Rules
from shared.domain.session.state import Session


def decide(
    session: Session, command: Command, *, now: datetime, rules: Rules = DEFAULT_RULES
) -> Decision:
    """Answer a command, or raise a `DomainError` when the session's state rules it out."""
    match command:
        case Connect() | ReportPhase() | BecomeReady() | GiveUp():
            return _from_boot(session, command, now, rules)
        case ConfirmStart() | RecordPush() | FinishPrompt():
            return _from_turn(session, command, now, rules)
        case Launching() | Launched() | LaunchFailed():
            return _from_launch(session, command)
        case Arm() | TimedOut() | LifeEnded() | Retire() | Poke():
            return _from_workflow(session, command, now, rules)
        case _:
            return _from_people(session, command)


type _People = SubmitPrompt | CancelPrompt | Stop | Cancel | Archive | Unarchive | Rename


def _from_people(session: Session, command: _People) -> Decision:
    match command:
        case SubmitPrompt():
            return conversation.submit(session, command)
        case CancelPrompt(number):
            return conversation.cancel_prompt(session, number)
        case Stop():
            return conversation.stop(session, command)
        case Cancel():
            return conversation.cancel(session)
        case Archive():
            return conversation.archive(session)
        case Unarchive():
            return conversation.unarchive(session)
        case Rename(title):
            return conversation.rename(session, title)


type _Boot = Connect | ReportPhase | BecomeReady | GiveUp


def _from_boot(session: Session, command: _Boot, now: datetime, rules: Rules) -> Decision:
    match command:
        case Connect(attempt):
            return attempts.connect(session, attempt)
        case ReportPhase(attempt, phase):
            return attempts.report_phase(session, attempt, phase)
        case BecomeReady(attempt):
            return attempts.become_ready(session, attempt, now, rules)
        case GiveUp(attempt, error):
            return attempts.give_up(session, attempt, error)


type _Turn = ConfirmStart | RecordPush | FinishPrompt


def _from_turn(session: Session, command: _Turn, now: datetime, rules: Rules) -> Decision:
    match command:
        case ConfirmStart():
            return NOTHING  # the frame itself is what viewers see; the dispatch is already a fact
        case RecordPush():
            return conversation.record_push(session, command)
        case FinishPrompt():
            return conversation.finish(session, command, now, rules)


type _Launch = Launching | Launched | LaunchFailed


def _from_launch(session: Session, command: _Launch) -> Decision:
    match command:
        case Launching():
            return attempts.launching(session, command)
        case Launched():
            return attempts.launched(session, command)
        case LaunchFailed():
            return attempts.launch_failed(session, command)


type _Workflow = Arm | TimedOut | LifeEnded | Retire | Poke


def _from_workflow(session: Session, command: _Workflow, now: datetime, rules: Rules) -> Decision:
    match command:
        case Arm():
            return attempts.arm(session, command)
        case TimedOut():
            return attempts.timed_out(session, command, now, rules)
        case LifeEnded(attempt, life):
            return attempts.life_ended(session, attempt, life)
        case Retire():
            return attempts.retire(session, command)
        case Poke():
            return attempts.poke(session, command, now, rules)
