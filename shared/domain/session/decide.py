"""The rules of a session. No clock, no ids, no I/O: same arguments, same answer.

Safe to take again: on a lost race the caller loads the session anew and asks once more. Everything
late or repeated is answered with `NOTHING`.
"""

from datetime import datetime

from shared.domain.session import (
    boot,
    conversation,
    handing_in,
    idle,
    pull_requests,
    pushing,
    queue,
    retiring,
    saving,
    waits,
    waking,
)
from shared.domain.session.commands import (
    Archive,
    Arm,
    Beat,
    BecomeReady,
    BeginAnew,
    Cancel,
    CancelPrompt,
    Choose,
    Command,
    CompleteBoot,
    ConfirmStart,
    Connect,
    FilesGone,
    FinishPrompt,
    GiveUp,
    Launched,
    LaunchFailed,
    Launching,
    LifeEnded,
    OfferPullRequest,
    Poke,
    RecordPullRequest,
    RecordPush,
    RecordScreenshot,
    Rename,
    ReportPhase,
    ResumeQueue,
    Retire,
    Saved,
    SaveFailed,
    SaveFiles,
    Stop,
    SubmitPrompt,
    TimedOut,
    Unarchive,
    UseImage,
    Vanished,
    Warm,
)
from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.rules import DEFAULT_RULES, Moment, Rules
from shared.domain.session.state import Session


def decide(
    session: Session, command: Command, *, now: datetime, rules: Rules = DEFAULT_RULES
) -> Decision:
    """Answer a command, or raise a `DomainError` when the session's state rules it out."""
    moment = Moment(now, rules.of(session.settings))
    decision = _answer(session, command, moment)
    return decision + waits.news(session, decision, moment)


def _answer(session: Session, command: Command, moment: Moment) -> Decision:
    match command:
        case Connect() | Beat() | ReportPhase() | BecomeReady() | CompleteBoot() | GiveUp():
            return _from_boot(session, command, moment)
        case ConfirmStart() | RecordPush() | RecordScreenshot() | FinishPrompt():
            return _from_turn(session, command, moment)
        case RecordPullRequest():
            return pull_requests.record_pull_request(session, command)
        case OfferPullRequest():
            return pull_requests.offer_pull_request(session, command)
        case Launching() | UseImage() | FilesGone() | Launched() | LaunchFailed() | Vanished():
            return _from_launch(session, command, moment)
        case Arm() | TimedOut() | LifeEnded() | Retire() | Poke() | Saved() | SaveFailed():
            return _from_workflow(session, command, moment)
        case Cancel() | Archive() | Unarchive() | Rename() | Warm() | Choose() | BeginAnew():
            return _about_the_session(session, command, moment)
        case _:
            return _about_prompts(session, command, moment)


type _Prompts = SubmitPrompt | CancelPrompt | Stop | ResumeQueue | SaveFiles


def _about_prompts(session: Session, command: _Prompts, moment: Moment) -> Decision:
    match command:
        case SubmitPrompt():
            return conversation.submit(session, command, moment)
        case CancelPrompt(number):
            return conversation.cancel_prompt(session, number, moment)
        case Stop():
            return conversation.stop(session, command, moment)
        case ResumeQueue(by):
            return conversation.resume_queue(session, by, moment)
        case SaveFiles():
            return saving.save(session, moment)


type _Whole = Cancel | Archive | Unarchive | Rename | Warm | Choose | BeginAnew


def _about_the_session(session: Session, command: _Whole, moment: Moment) -> Decision:
    match command:
        case Cancel():
            return conversation.cancel(session, moment)
        case Archive():
            return conversation.archive(session, moment)
        case Unarchive():
            return conversation.unarchive(session)
        case Rename(title):
            return conversation.rename(session, title)
        case Warm():
            return queue.warm(session, moment)
        case Choose():
            return conversation.choose(session, command, moment)
        case BeginAnew():
            return waking.begin_anew(session, command)


type _Boot = Connect | Beat | ReportPhase | BecomeReady | CompleteBoot | GiveUp


def _from_boot(session: Session, command: _Boot, moment: Moment) -> Decision:
    match command:
        case Connect():
            return boot.connect(session, command, moment)
        case Beat(attempt):
            return waits.beat(session, attempt, moment)
        case ReportPhase():
            return boot.report_phase(session, command)
        case BecomeReady():
            return boot.become_ready(session, command, moment)
        case CompleteBoot(attempt):
            return boot.complete_boot(session, attempt)
        case GiveUp():
            return boot.give_up(session, command, moment)


type _Turn = ConfirmStart | RecordPush | RecordScreenshot | FinishPrompt


def _from_turn(session: Session, command: _Turn, moment: Moment) -> Decision:
    match command:
        case ConfirmStart():
            return NOTHING  # the frame itself is what viewers see; the dispatch is already a fact
        case RecordPush():
            return pushing.record_push(session, command)
        case RecordScreenshot():
            return handing_in.record_screenshot(session, command)
        case FinishPrompt():
            return conversation.finish(session, command, moment)


type _Launch = Launching | UseImage | FilesGone | Launched | LaunchFailed | Vanished


def _from_launch(session: Session, command: _Launch, moment: Moment) -> Decision:
    match command:
        case Launching():
            return boot.launching(session, command, moment)
        case UseImage():
            return boot.use_image(session, command)
        case FilesGone():
            return boot.files_gone(session, command, moment)
        case Launched():
            return boot.launched(session, command, moment)
        case LaunchFailed():
            return boot.launch_failed(session, command, moment)
        case Vanished():
            return boot.vanished(session, command, moment)


type _Workflow = Arm | TimedOut | LifeEnded | Retire | Poke | Saved | SaveFailed


def _from_workflow(session: Session, command: _Workflow, moment: Moment) -> Decision:
    match command:
        case Arm():
            return waits.arm(session, command, moment)
        case TimedOut():
            return waits.timed_out(session, command, moment)
        case LifeEnded(attempt, life):
            return retiring.life_ended(session, attempt, life, moment)
        case Retire():
            return retiring.retire(session, command, moment)
        case Poke():
            return idle.poke(session, command, moment)
        case Saved():
            return saving.saved(session, command, moment)
        case SaveFailed():
            return saving.save_failed(session, command, moment)
