"""What viewers are told about the facts of a commit.

Facts that are the workflow's own business (task tokens, identities, idle clocks) are not told.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from shared.app.attachment_views import attached
from shared.app.pull_request_views import told_of
from shared.domain.session import facts
from shared.domain.session.sandbox import MAX_FAILED_WAKES, Boot
from shared.domain.session.state import Session
from shared.domain.tokens import NO_TOKENS
from shared.protocol import events, server_events
from shared.protocol.base import Tolerant
from shared.protocol.tokens import counts

EXCERPT_CHARS = 1_000


def narrate(before: Session, told: Iterable[facts.Event]) -> tuple[Mapping[str, Any], ...]:
    attempt = before.attempts
    told = tuple(told)
    lines: list[Mapping[str, Any]] = []
    for fact in told:
        if isinstance(fact, facts.AttemptStarted):
            attempt = fact.number
        lines.extend(_json(event) for event in _events(fact, attempt))
    lines.extend(_json(event) for event in _outlook(before, told))
    return tuple(lines)


def _json(event: Tolerant) -> Mapping[str, Any]:
    return event.model_dump(mode="json", by_alias=True, exclude_none=True)


def _events(fact: facts.Event, attempt: int) -> tuple[Tolerant, ...]:
    event = _conversation(fact) or told_of(fact) or _sandbox(fact, attempt)
    return () if event is None else (event,)


def _outlook(before: Session, told: Sequence[facts.Event]) -> tuple[Tolerant, ...]:
    """What the next sandbox begins with, when this one ends without the files, or never boots."""
    wakes = [fact.times for fact in told if isinstance(fact, facts.WakeFailed)]
    if wakes and max(wakes) >= MAX_FAILED_WAKES:
        message = f"the sandbox has failed to boot {wakes[0]} times in a row"
        return (events.Warned(scope="workspace", message=f"{message}{_instead(before)}"),)
    if not any(isinstance(fact, facts.WorkspaceLost) for fact in told):
        return ()
    if any(isinstance(fact, facts.BootChosen) for fact in told):
        return ()
    boot = Boot.RESTORE if before.workspace.snapshot else Boot.FRESH
    return (events.Warned(scope="workspace", message=f"the next sandbox {_BEGINS[boot]}"),)


def _instead(before: Session) -> str:
    copy, turn = before.workspace.snapshot, before.workspace.turn
    if copy is None:
        return f", and there is no copy of its files: `outboard anew {before.id}` leaves them"
    lacks = "; what later prompts left uncommitted is not in it" if copy.turn < turn else ""
    return (
        f": the next one is made from the copy of its files after prompt {copy.turn}{lacks}. "
        "It is kept until that one has booted"
    )


def _conversation(fact: facts.Event) -> Tolerant | None:
    match fact:
        case facts.PromptQueued() | facts.PromptDispatched() | facts.PromptFinished():
            return _prompt(fact)
        case facts.StopRequested(number, by):
            return server_events.StopRequested(prompt=number, by=by or "")
        case facts.QueueHeld(reason):
            return server_events.QueueHeld(reason=reason)
        case facts.QueueResumed(by):
            return server_events.QueueResumed(by=by)
        case facts.SessionMoved(status):
            return server_events.SessionStatusChanged(status=status)
        case facts.TitleSet(title):
            return server_events.TitleChanged(title=title)
        case facts.BranchPushed(first=True) | facts.ScreenshotHandedIn():
            return _artifact(fact)
        case _:
            return None


def _sandbox(fact: facts.Event, attempt: int) -> Tolerant | None:
    match fact:
        case facts.AttemptStarted(number, boot):
            resumed = boot in {Boot.RESUME, Boot.RESTORE}
            return server_events.SandboxSpawning(attempt=number, resumed=resumed, boot=boot)
        case facts.SandboxMoved(status, reason, error):
            return server_events.SandboxStatusChanged(
                attempt=attempt, status=status, reason=reason, error=error
            )
        case facts.IdleExtended(_, by):
            minutes = by.total_seconds() / 60
            message = f"idle: the sandbox will be paused in {minutes:g} minutes"
            return events.Warned(scope="inactivity", message=message)
        case facts.AttemptLaunched(tunnels=tunnels) if tunnels:
            urls = {str(port): address for port, address in tunnels}
            return server_events.TunnelsOpened(attempt=attempt, urls=urls)
        case facts.FilesSaved(copy):
            return server_events.SnapshotSaved(attempt=attempt, prompt=copy.turn)
        case _:
            message = _warning(fact)
            return events.Warned(scope="workspace", message=message) if message else None


def _warning(fact: facts.Event) -> str | None:
    match fact:
        case facts.WorkspaceLost():
            return "the session's sandbox is lost"
        case facts.SnapshotLost():
            return "the copy of the session's files is lost"
        case facts.BootChosen(boot) if boot in _BEGINS:
            return f"the sandbox {_BEGINS[boot]}"
        case facts.SaveEnded(error):
            return error
        case facts.EndUnknown(known_by):
            return (
                "the provider has not said when this sandbox ends: prompts wait until it does, and "
                f"fail at {known_by:%H:%M:%S} UTC"
            )
        case facts.StartPostponed(until):
            return f"too many boots have failed; the next one starts at {until:%H:%M:%S} UTC"
        case _:
            return _warning_of_files(fact)


def _warning_of_files(fact: facts.Event) -> str | None:
    match fact:
        case facts.TurnsMissed(marker):
            return (
                f"the sandbox woke with the files of prompt {marker}, and there is no newer copy: "
                "what later prompts left uncommitted is lost"
            )
        case facts.WakeFailed(0):
            return "the copy of the session's files did not boot either; its sandbox is tried again"
        case facts.FilesLeft(by):
            return f"{by} leaves the files: the next sandbox starts from what was pushed"
        case _:
            return None


_BEGINS = {
    Boot.RESTORE: "is made anew from the last copy of its files",
    Boot.FRESH: "starts from what was pushed",
    Boot.RESUME: "is the one that had failed to boot",
}


def _prompt(
    fact: facts.PromptQueued | facts.PromptDispatched | facts.PromptFinished,
) -> Tolerant:
    match fact:
        case facts.PromptQueued(prompt, text, attachments):
            return server_events.PromptQueued(
                prompt=prompt.number,
                author=prompt.author.name,
                text=text[:EXCERPT_CHARS],
                model=prompt.model,
                attachments=[attached(attachment) for attachment in attachments],
            )
        case facts.PromptDispatched(number):
            return server_events.PromptDispatched(prompt=number)
        case facts.PromptFinished():
            return server_events.PromptFinished.model_validate(
                {
                    "prompt": fact.number,
                    "status": fact.status,
                    "error": fact.error,
                    "branch": fact.branch,
                    "commit": fact.commit,
                    "cost": fact.cost,
                    "tokens": None if fact.tokens == NO_TOKENS else counts(fact.tokens),
                }
            )


def _artifact(fact: facts.BranchPushed | facts.ScreenshotHandedIn) -> Tolerant:
    if isinstance(fact, facts.BranchPushed):
        return server_events.ArtifactCreated(
            id=fact.artifact,
            kind=facts.BRANCH,
            title=fact.branch,
            metadata={"repository": fact.repository, "commit": fact.commit},
        )
    return server_events.ArtifactCreated(
        id=fact.id,
        kind="screenshot",
        title=fact.title,
        metadata={} if fact.prompt is None else {"prompt": str(fact.prompt)},
        file=attached(fact.file),
    )
