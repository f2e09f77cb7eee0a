"""What happens in a session as lines for a person: a pure function of what was said before."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from shared.client import boot, changes, prose, tools
from shared.client.events import Event, known
from shared.client.lines import Line, Tone, cut
from shared.client.money import dollars
from shared.client.prose import Prose
from shared.client.untrusted import clean_line
from shared.protocol import events as on
from shared.protocol import server_events as news
from shared.protocol.api import EntryView

EXCERPT_CELLS = 200

_ENDED = frozenset({"stopped", "stale", "failed"})


@dataclass(frozen=True, slots=True)
class Teller:
    """Where the telling is. With `only`, what belongs to other prompts is left out."""

    prose: Prose = field(default_factory=Prose)
    only: int | None = None
    headed: str | None = None
    """The tool call whose header was the last thing said."""
    retired: int = 0
    """The newest attempt that is over."""
    several: bool = False
    """Whether what is told of a repository has to say of which."""


type Told = tuple[Teller, tuple[Line, ...]]


def tell(teller: Teller, entry: EntryView) -> Told:
    if not is_current(teller, entry):
        return teller, ()
    lines: list[Line] = []
    for raw in entry.events:
        teller, said = _tell(teller, raw)
        lines.extend(said)
    return teller, tuple(lines)


def is_current(teller: Teller, entry: EntryView) -> bool:
    """What a sandbox still says behind the slot that ended it counts for nothing."""
    return entry.attempt is None or entry.attempt > teller.retired


def _tell(teller: Teller, raw: Mapping[str, object]) -> Told:
    event = known(raw)
    if event is None:
        return _interrupted(teller, (Line(f"event {_type(raw)}", Tone.DIM),))
    if teller.only is not None and getattr(event, "prompt", teller.only) != teller.only:
        return teller, ()
    match event:
        case news.PromptQueued() if teller.only is not None:
            return teller, ()  # the reader has just written it
        case on.TextDelta() | on.Text():
            return _words(teller, event)
        case on.Tool():
            return _tool(teller, event)
        case news.PromptFinished():
            return _over(teller, _finished(event, teller.only))
        case on.Pushed(repository=repository, branch=branch, commit=commit) if teller.several:
            where = f"{clean_line(repository)}: {_at(branch, commit)}"
            return _interrupted(teller, (Line(f"pushed {where}"),))
        case _:
            return _interrupted(_aged(teller, event), _plain(event))


def open_line(teller: Teller) -> tuple[Line, ...]:
    """What was not said yet because its line had not ended."""
    return prose.end_line(teller.prose)[1]


def _over(teller: Teller, lines: tuple[Line, ...]) -> Told:
    forgetful = replace(teller, prose=Prose(teller.prose.width), headed=None)
    return forgetful, (*open_line(teller), *lines)


def _type(raw: Mapping[str, object]) -> str:
    return cut(clean_line(str(raw.get("type", "without a type"))), 60)


def _interrupted(teller: Teller, lines: tuple[Line, ...]) -> Told:
    """Something that is neither words nor a tool: first ends the line that is open."""
    if not lines:
        return teller, ()
    words, last = prose.end_line(teller.prose)
    return replace(teller, prose=words, headed=None), (*last, *lines)


def _aged(teller: Teller, event: Event) -> Teller:
    match event:
        case news.SandboxStatusChanged(attempt=attempt, status=status) if status in _ENDED:
            return replace(teller, retired=max(teller.retired, attempt))
        case news.SandboxSpawning(attempt=attempt):
            return replace(teller, retired=max(teller.retired, attempt - 1))
        case _:
            return teller


def _words(teller: Teller, event: on.TextDelta | on.Text) -> Told:
    part = f"{event.prompt}/{event.part}"
    match event:
        case on.TextDelta(delta=delta):
            words, lines = prose.more(teller.prose, part, delta)
        case on.Text(text=text, final=final):
            words, lines = prose.whole(teller.prose, part, text, final=final)
    return replace(teller, prose=words, headed=None), lines


def _tool(teller: Teller, event: on.Tool) -> Told:
    """The header once, and again when something was said between it and the result."""
    if event.status == "pending":
        return teller, ()
    call = f"{event.prompt}/{event.call}"
    if teller.headed == call:
        words, lines = teller.prose, ()
    else:
        words, lines = prose.end_line(teller.prose)
        lines = (*lines, tools.header(event))
    if event.status == "running":
        said_before = teller.headed == call
        return replace(teller, prose=words, headed=call), () if said_before else lines
    return replace(teller, prose=words, headed=None), (*lines, *tools.result(event))


def _finished(event: news.PromptFinished, only: int | None) -> tuple[Line, ...]:
    if event.prompt == only:
        return ()  # whoever waits for it gets the whole result
    facts = [f"prompt {event.prompt} {event.status}"]
    facts += [clean_line(event.error)] if event.error else []
    facts += [_at(event.branch, event.commit)] if event.branch else []
    facts += [dollars(event.cost)] if event.cost else []
    return (Line(" · ".join(facts), Tone.GOOD if event.status == "completed" else Tone.BAD),)


def _at(branch: str | None, commit: str | None) -> str:
    return f"{clean_line(branch or '')} at {clean_line(commit or '')[:12]}"


def _plain(event: Event) -> tuple[Line, ...]:
    match event:
        case on.BootProgress():
            return boot.progress(event)
        case on.Ready() | on.Fatal() | news.SandboxSpawning() | news.SandboxStatusChanged():
            return boot.sandbox(event)
        case news.PromptQueued(prompt=prompt, author=author, text=text):
            words = cut(clean_line(text), EXCERPT_CELLS)
            return (Line(f"prompt {prompt} from {clean_line(author)}: {words}", Tone.STRONG),)
        case on.PromptStarted(prompt=prompt):
            return (Line(f"prompt {prompt} runs", Tone.DIM),)
        case on.Retrying(attempt=attempt, reason=reason):
            refused = f"the model refused for now (try {attempt}): {clean_line(reason)}"
            return (Line(refused, Tone.BAD),)
        case on.Warned(message=message):
            return (Line(f"warning: {clean_line(message)}", Tone.BAD),)
        case on.Todo():
            return _todo(event)
        case _:
            return _fact(event)


def _fact(event: Event) -> tuple[Line, ...]:
    match event:
        case on.Committed() | on.ChangesUpdated():
            return (Line(_left(event), Tone.DIM),)
        case on.Pushed(branch=branch, commit=commit):
            return (Line(f"pushed {_at(branch, commit)}"),)
        case news.StopRequested(prompt=prompt, by=by):
            who = f"{clean_line(by)} asked it to stop" if by else "it has to stop"
            return (Line(f"prompt {prompt}: {who}"),)
        case news.SnapshotSaved() | news.TunnelsOpened() | news.QueueHeld() | news.QueueResumed():
            return _keeping(event)
        case news.SessionStatusChanged(status="archived" | "cancelled" as status):
            return (Line(f"session {status}", Tone.STRONG),)
        case news.TitleChanged(title=title):
            return (Line(f"title: {clean_line(title)}", Tone.DIM),)
        case news.PullRequestTold() | news.PullRequestOffered() | news.ArtifactCreated():
            return _result(event)
        case _:
            return ()  # thinking, steps and statuses: the progress line and the end say them


def _left(event: on.Committed | on.ChangesUpdated) -> str:
    if isinstance(event, on.ChangesUpdated):
        return changes.summary(event.files, event.additions, event.deletions)
    files = "1 file" if event.files == 1 else f"{event.files} files"
    what = f"committed {files} in {clean_line(event.repository)}"
    return f"{what} as {clean_line(event.commit)[:12]}"


def _keeping(
    event: news.SnapshotSaved | news.TunnelsOpened | news.QueueHeld | news.QueueResumed,
) -> tuple[Line, ...]:
    match event:
        case news.SnapshotSaved(prompt=prompt):
            return (Line(f"the files of prompt {prompt} are saved", Tone.DIM),)
        case news.TunnelsOpened(urls=urls):
            ports = sorted((clean_line(port), clean_line(url)) for port, url in urls.items())
            return tuple(Line(f"port {port} is at {url}") for port, url in ports)
        case news.QueueHeld(reason=reason):
            return (Line(f"the queue is held: {clean_line(reason)}", Tone.STRONG),)
        case news.QueueResumed(by=by):
            return (Line(f"{clean_line(by)} resumed the queue"),)


def _result(
    event: news.PullRequestTold | news.PullRequestOffered | news.ArtifactCreated,
) -> tuple[Line, ...]:
    match event:
        case news.ArtifactCreated(kind="branch"):
            return ()  # the push said it
        case news.ArtifactCreated(kind=kind, title=title, url=url):
            words = [clean_line(word) for word in (kind, title, url or "") if word]
            return (Line(f"artifact: {' '.join(words)}"),)
        case news.PullRequestTold():
            state = "draft" if event.draft and event.state == "open" else event.state
            what = f"pull request #{event.number} of {event.repository} is {state}"
            return (Line(clean_line(f"{what}: {event.title} {event.url}"), Tone.STRONG),)
        case news.PullRequestOffered(repository=repository, url=url):
            return (Line(clean_line(f"open a pull request of {repository} at {url}")),)


def _todo(event: on.Todo) -> tuple[Line, ...]:
    done = sum(item.get("status") == "completed" for item in event.items)
    current = (i.get("content", "") for i in event.items if i.get("status") == "in_progress")
    now = clean_line(next(current, ""))
    words = f"plan: {done} of {len(event.items)} done"
    return (Line(f"{words}; now: {cut(now, EXCERPT_CELLS)}" if now else words, Tone.DIM),)
