"""Decisions about the conversation: prompts, stop, archive, cancel."""

from datetime import datetime

from shared.domain.errors import Invalid, NotFound, Rejected
from shared.domain.session import attempts
from shared.domain.session.commands import FinishPrompt, RecordPush, Stop, SubmitPrompt
from shared.domain.session.decision import (
    NOTHING,
    BranchPushed,
    Decision,
    Event,
    PromptFinished,
    PromptQueued,
    SessionMoved,
    StopRequested,
    TitleSet,
)
from shared.domain.session.evolve import evolve_all
from shared.domain.session.queue import close, go_on, settle, settled_status
from shared.domain.session.rules import Rules
from shared.domain.session.state import (
    MAX_COST,
    MAX_PROMPT_CHARS,
    MAX_TITLE_CHARS,
    MAX_UNFINISHED_PROMPTS,
    Ending,
    Prompt,
    PromptStatus,
    Session,
    SessionStatus,
)


def submit(session: Session, command: SubmitPrompt) -> Decision:
    if not session.status.accepts_prompts:
        raise Rejected(f"a session that is {session.status} takes no prompts")
    check_text(command.text)
    if session.unfinished >= MAX_UNFINISHED_PROMPTS:
        raise Rejected(f"{MAX_UNFINISHED_PROMPTS} prompts are unfinished already; wait for one")
    prompt = Prompt(
        number=session.prompts + 1,
        author=command.author,
        model=command.model,
        effort=command.effort,
    )
    events: list[Event] = [PromptQueued(prompt, command.text)]
    if session.status is not SessionStatus.ACTIVE:
        events.append(SessionMoved(SessionStatus.ACTIVE))
    if not session.title:
        events.append(TitleSet(title_of(command.text)))
    queued = Decision(tuple(events))
    return queued + go_on(evolve_all(session, events))


def check_text(text: str) -> None:
    if not text.strip():
        raise Invalid("text", "a prompt needs words")
    if len(text) > MAX_PROMPT_CHARS:
        raise Invalid("text", f"{len(text)} characters are more than {MAX_PROMPT_CHARS}")


def title_of(text: str) -> str:
    """The first line of a prompt, short enough for a list."""
    line = " ".join(text.strip().splitlines()[0].split())
    return line if len(line) <= MAX_TITLE_CHARS else line[: MAX_TITLE_CHARS - 1] + "…"


def cancel_prompt(session: Session, number: int) -> Decision:
    if _runs(session, number):
        raise Rejected(f"prompt {number} is running; stop it instead")
    if number not in {prompt.number for prompt in session.queue}:
        raise NotFound(f"no prompt {number} is queued")
    return close(session, number, PromptStatus.CANCELLED)


def stop(session: Session, command: Stop) -> Decision:
    """End the running prompt; while a sandbox boots, the one that waits for it."""
    first = session.running.prompt if session.running else next(iter(session.queue), None)
    if command.prompt is not None and (first is None or command.prompt != first.number):
        return _stop_another(session, command.prompt)
    if first is None:
        raise Rejected("nothing is running")
    if session.running is None:
        return close(session, first.number, PromptStatus.STOPPED)
    if session.running.stopping:
        return NOTHING
    return Decision((StopRequested(first.number, command.by),))


def _stop_another(session: Session, number: int) -> Decision:
    """Late, and so nothing; but one that waits behind others is taken back, not stopped."""
    if any(prompt.number == number for prompt in session.queue):
        raise Rejected(f"prompt {number} waits for others; take it back instead")
    if number > session.prompts:
        raise NotFound(f"no prompt {number}")
    return NOTHING


def finish(session: Session, command: FinishPrompt, now: datetime, rules: Rules) -> Decision:
    if session.current(command.attempt) is None or not _runs(session, command.prompt):
        return NOTHING  # a late answer about a prompt that was settled without it
    ours = command.branch == session.session_branch
    finished = Decision(
        (
            PromptFinished(
                number=command.prompt,
                status=command.status,
                error=command.error,
                branch=command.branch if ours else None,
                commit=command.commit if ours else None,
                cost=_believed(command.cost),
            ),
        )
    )
    after = evolve_all(session, finished.events)
    settled = settle(after)
    return finished + settled + attempts.idle(evolve_all(after, settled.events), now, rules)


def _believed(cost: float) -> float:
    """A sandbox's word about money, if it is a sum at all: it is added up and stored."""
    return cost if 0.0 <= cost <= MAX_COST else 0.0


def _runs(session: Session, number: int) -> bool:
    return session.running is not None and session.running.prompt.number == number


def record_push(session: Session, command: RecordPush) -> Decision:
    if session.current(command.attempt) is None or not _runs(session, command.prompt):
        return NOTHING
    if command.branch != session.session_branch:
        return NOTHING  # people fetch what stands here, and a sandbox may name anything
    if (session.branch, session.commit) == (command.branch, command.commit):
        return NOTHING
    first = session.branch is None
    return Decision((BranchPushed(command.repository, command.branch, command.commit, first),))


def cancel(session: Session) -> Decision:
    """Terminal: closes what is unfinished and lets the sandbox go, its files kept."""
    if session.status is SessionStatus.CANCELLED:
        return NOTHING
    running = [session.running.prompt] if session.running else []
    closed = tuple(
        PromptFinished(number=prompt.number, status=PromptStatus.CANCELLED)
        for prompt in (*running, *session.queue)
    )
    cancelled = Decision((*closed, SessionMoved(SessionStatus.CANCELLED)))
    return cancelled + attempts.end(evolve_all(session, cancelled.events), Ending.CANCELLED)


def archive(session: Session) -> Decision:
    match session.status:
        case SessionStatus.ARCHIVED:
            return NOTHING
        case SessionStatus.CANCELLED:
            raise Rejected("a cancelled session cannot be archived")
        case _ if session.unfinished:
            raise Rejected(f"{session.unfinished} prompts are unfinished; stop or unqueue them")
        case _:
            archived = Decision((SessionMoved(SessionStatus.ARCHIVED),))
            return archived + attempts.end(evolve_all(session, archived.events), Ending.STOPPED)


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
