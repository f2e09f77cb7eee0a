"""Decisions about the conversation: prompts, stop, archive, cancel."""

from shared.domain.errors import Invalid, NotFound, Rejected
from shared.domain.session.commands import Choose, FinishPrompt, Stop, SubmitPrompt
from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.ending import HELD, INTERRUPTED, end, worked_in
from shared.domain.session.evolve import evolve_all
from shared.domain.session.facts import (
    AttemptEnding,
    Event,
    PromptFinished,
    PromptQueued,
    QueueHeld,
    QueueResumed,
    SessionMoved,
    StopRequested,
    TargetChosen,
    TitleSet,
    TurnLeft,
    WarmthWanted,
)
from shared.domain.session.idle import idle
from shared.domain.session.queue import close, go_on, settle, settled_status
from shared.domain.session.rules import Moment
from shared.domain.session.sandbox import Ending
from shared.domain.session.saving import after_turn
from shared.domain.session.state import (
    MAX_COST,
    MAX_PROMPT_CHARS,
    MAX_TITLE_CHARS,
    MAX_UNFINISHED_PROMPTS,
    Prompt,
    PromptStatus,
    Running,
    Session,
    SessionStatus,
    Stopping,
    StopReason,
    UserId,
)
from shared.domain.tokens import NO_TOKENS


def submit(session: Session, command: SubmitPrompt, moment: Moment) -> Decision:
    check_room(session)
    check_text(command.text, attached=len(command.attachments))
    prompt = Prompt(
        number=session.prompts + 1,
        author=command.author,
        model=command.model,
        effort=command.effort,
    )
    events: list[Event] = [PromptQueued(prompt, command.text, command.attachments)]
    if session.status is not SessionStatus.ACTIVE:
        events.append(SessionMoved(SessionStatus.ACTIVE))
    if not session.title:
        first = command.text if command.text.strip() else command.attachments[0].name
        events.append(TitleSet(title_of(first)))
    queued = Decision(tuple(events))
    return queued + go_on(evolve_all(session, events), moment)


def check_room(session: Session) -> None:
    """Raises `Rejected`."""
    if not session.status.accepts_prompts:
        raise Rejected(f"a session that is {session.status} takes no prompts")
    if session.unfinished >= MAX_UNFINISHED_PROMPTS:
        raise Rejected(f"{MAX_UNFINISHED_PROMPTS} prompts are unfinished already; wait for one")


def check_text(text: str, *, attached: int = 0) -> None:
    """Raises `Invalid`. An image may stand for itself."""
    if not text.strip() and not attached:
        raise Invalid("text", "a prompt needs words")
    if len(text) > MAX_PROMPT_CHARS:
        raise Invalid("text", f"{len(text)} characters are more than {MAX_PROMPT_CHARS}")


def title_of(text: str) -> str:
    """The first line of a prompt, short enough for a list."""
    line = " ".join(text.strip().splitlines()[0].split())
    return line if len(line) <= MAX_TITLE_CHARS else line[: MAX_TITLE_CHARS - 1] + "…"


def cancel_prompt(session: Session, number: int, moment: Moment) -> Decision:
    if _runs(session, number):
        raise Rejected(f"prompt {number} is running; stop it instead")
    if number not in {prompt.number for prompt in session.queue}:
        raise NotFound(f"no prompt {number} is queued")
    return _taken_back(session, number, PromptStatus.CANCELLED, moment)


def _taken_back(session: Session, number: int, status: PromptStatus, moment: Moment) -> Decision:
    """Before it had its turn: a sandbox that was kept for it has nothing to do any more."""
    closed = close(session, number, status, moment)
    return closed + idle(evolve_all(session, closed.events), moment)


def stop(session: Session, command: Stop, moment: Moment) -> Decision:
    """End the running prompt; while a sandbox boots, the one that waits for it.

    Answered at once; the bridge has to confirm it in time, or its sandbox is replaced.
    """
    first = _first(session)
    if command.prompt is not None and (first is None or command.prompt != first.number):
        return _stop_another(session, command.prompt)
    if first is None:
        raise Rejected("nothing is running")
    if session.running is None:
        return _taken_back(session, first.number, PromptStatus.STOPPED, moment)
    return _stop_running(session.running, command.by, moment)


def named(session: Session, command: Stop) -> Stop:
    """The same, of the prompt that it means now: decided anew, it must not end the next one."""
    first = _first(session)
    if command.prompt is not None or first is None:
        return command
    return Stop(command.by, first.number)


def _first(session: Session) -> Prompt | None:
    return session.running.prompt if session.running else next(iter(session.queue), None)


def _stop_running(running: Running, by: UserId, moment: Moment) -> Decision:
    """Also one that is stopped for its sandbox's sake: it ends as people want it to."""
    due = moment.now + moment.rules.stop_confirmation
    if running.stop is not None:
        if running.stop.reason is StopReason.ASKED:
            return NOTHING
        due = min(due, running.stop.due)
    stop = Stopping(StopReason.ASKED, due)
    return Decision((StopRequested(running.prompt.number, by, stop),))


def _stop_another(session: Session, number: int) -> Decision:
    """Late, and so nothing; but one that waits behind others is taken back, not stopped."""
    if any(prompt.number == number for prompt in session.queue):
        raise Rejected(f"prompt {number} waits for others; take it back instead")
    if number > session.prompts:
        raise NotFound(f"no prompt {number}")
    return NOTHING


def finish(session: Session, command: FinishPrompt, moment: Moment) -> Decision:
    if session.current(command.attempt) is None or not _runs(session, command.prompt):
        return NOTHING  # a late answer about a prompt that was settled without it
    cut_off = _is_cut_off(session, command.status)
    left = TurnLeft(command.prompt, command.marked)
    finished = Decision((left, _finished(session, command, cut_off=cut_off)))
    after = evolve_all(session, finished.events)
    if _was_drained(session):
        return finished + _drained(after, moment, cut_off=cut_off)
    settled = settle(after, moment)
    after = evolve_all(after, settled.events)
    saving = after_turn(after, moment)
    return finished + settled + idle(after, moment) + saving


def _finished(session: Session, command: FinishPrompt, *, cut_off: bool) -> PromptFinished:
    ours = bool(session.target) and command.branch == session.session_branch
    return PromptFinished(
        number=command.prompt,
        status=PromptStatus.FAILED if cut_off else command.status,
        error=INTERRUPTED if cut_off else command.error,
        branch=command.branch if ours else None,
        commit=command.commit if ours else None,
        cost=_believed(command.cost),
        tokens=command.tokens if command.tokens.is_credible else NO_TOKENS,
    )


def _was_drained(session: Session) -> bool:
    stop = session.running.stop if session.running else None
    return stop is not None and stop.reason is StopReason.LIFETIME


def _is_cut_off(session: Session, status: PromptStatus) -> bool:
    """One that came to its end before it could be stopped ended as it says."""
    return _was_drained(session) and status is PromptStatus.STOPPED


def _drained(session: Session, moment: Moment, *, cut_off: bool) -> Decision:
    """The turn has ended and so does the attempt; nobody replays what was cut off."""
    held = Decision((QueueHeld(HELD),)) if cut_off and session.queue else NOTHING
    ended = held + end(evolve_all(session, held.events), Ending.LIFETIME, moment)
    return ended + settle(evolve_all(session, ended.events), moment)


def _believed(cost: float) -> float:
    """A sandbox's word about money, if it is a sum at all: it is added up and stored."""
    return cost if 0.0 <= cost <= MAX_COST else 0.0


def _runs(session: Session, number: int) -> bool:
    return session.running is not None and session.running.prompt.number == number


def resume_queue(session: Session, by: UserId, moment: Moment) -> Decision:
    if not session.held:
        return NOTHING
    resumed = Decision((QueueResumed(by),))
    return resumed + go_on(evolve_all(session, resumed.events), moment)


def choose(session: Session, command: Choose, moment: Moment) -> Decision:
    """Another target or model; a sandbox that was warmed for the old one is let go."""
    chosen = TargetChosen(
        session.target if command.target is None else command.target,
        session.settings if command.settings is None else command.settings,
        command.model or session.model,
        command.effort if command.model else session.effort,
        session.environment if command.target is None else command.environment,
    )
    if chosen == _present_choice(session):
        return NOTHING
    if not session.status.accepts_prompts:
        raise Rejected(f"a session that is {session.status} takes no other target")
    if session.prompts:
        raise Rejected("work has begun here; open another session for another target")
    if session.attempt is None:
        return Decision((chosen,))
    return _let_go(session, moment) + Decision((chosen, WarmthWanted()))


def _present_choice(session: Session) -> TargetChosen:
    return TargetChosen(
        session.target, session.settings, session.model, session.effort, session.environment
    )


def _let_go(session: Session, moment: Moment) -> Decision:
    """Also of one that is being put away already: its files are nobody's any more."""
    if session.attempt is not None and session.attempt.ending is not None:
        return Decision((AttemptEnding(Ending.RETARGETED),))
    return end(session, Ending.RETARGETED, moment)


def cancel(session: Session, moment: Moment) -> Decision:
    """Terminal: closes what is unfinished and lets the sandbox go, its files kept."""
    if session.status is SessionStatus.CANCELLED:
        return NOTHING
    running = [session.running.prompt] if session.running else []
    closed = tuple(
        PromptFinished(number=prompt.number, status=PromptStatus.CANCELLED)
        for prompt in (*running, *session.queue)
    )
    moved = SessionMoved(SessionStatus.CANCELLED)
    cancelled = Decision((*worked_in(session), *closed, moved))
    return cancelled + end(evolve_all(session, cancelled.events), Ending.CANCELLED, moment)


def archive(session: Session, moment: Moment) -> Decision:
    match session.status:
        case SessionStatus.ARCHIVED:
            return NOTHING
        case SessionStatus.CANCELLED:
            raise Rejected("a cancelled session cannot be archived")
        case _ if session.unfinished:
            raise Rejected(f"{session.unfinished} prompts are unfinished; stop or unqueue them")
        case _:
            archived = Decision((SessionMoved(SessionStatus.ARCHIVED),))
            after = evolve_all(session, archived.events)
            return archived + end(after, Ending.STOPPED, moment)


def unarchive(session: Session) -> Decision:
    if session.status is SessionStatus.CANCELLED:
        raise Rejected("a cancelled session cannot be restored")
    if session.status is not SessionStatus.ARCHIVED:
        return NOTHING
    return Decision((SessionMoved(settled_status(session.last_outcome)),))


def rename(session: Session, title: str) -> Decision:
    title = checked_title(title)
    return NOTHING if title == session.title else Decision((TitleSet(title),))


def checked_title(title: str) -> str:
    """The title as one line. Raises `Invalid`."""
    title = " ".join(title.split())
    if not title:
        raise Invalid("title", "a title needs words")
    if len(title) > MAX_TITLE_CHARS:
        raise Invalid("title", f"{len(title)} characters are more than {MAX_TITLE_CHARS}")
    return title
