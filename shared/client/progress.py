"""The one row under everything that says what goes on right now: a pure function of the events."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Self

from shared.client import tools
from shared.client.durations import clock
from shared.client.events import Event
from shared.client.follow import Moment
from shared.client.lines import cells, cut
from shared.client.money import dollars
from shared.protocol import events as on
from shared.protocol import server_events as news

SEPARATOR = " | "

_COUNTED = ("input", "output", "reasoning")


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """With `only`, what other prompts do is what this one waits for."""

    began: Moment
    since: Moment
    doing: str = "waiting"
    only: int | None = None
    tokens: int = 0
    cost: float = 0.0
    demo: bool = False

    @classmethod
    def start(cls, now: Moment, *, only: int | None, demo: bool) -> Self:
        return cls(began=now, since=now, only=only, demo=demo)


def advance(progress: Progress, event: Event, now: Moment) -> Progress:
    prompt = getattr(event, "prompt", None)
    if prompt is not None and progress.only not in {None, prompt}:
        doing = f"waiting for prompt {prompt}"
    else:
        progress = _counted(progress, event)
        doing = _doing(event)
    if doing is None or doing == progress.doing:
        return progress
    return replace(progress, doing=doing, since=now)


def row(progress: Progress, now: Moment, width: int) -> str:
    """What fits: the least telling parts are left out first."""
    parts = [f"{progress.doing} {clock(max(now - progress.since, timedelta()))}"]
    parts += [f"in all {clock(now - progress.began)}"]
    parts += [f"{progress.tokens:,} tokens"] if progress.tokens else []
    parts += [dollars(progress.cost)] if progress.cost else []
    parts += ["demo model"] if progress.demo else []
    while len(parts) > 1 and cells(SEPARATOR.join(parts)) > width:
        parts.pop(1)
    return cut(SEPARATOR.join(parts), width)


def _counted(progress: Progress, event: Event) -> Progress:
    if not isinstance(event, on.StepFinished):
        return progress
    tokens = sum(event.tokens.get(kind, 0) for kind in _COUNTED)
    return replace(progress, tokens=progress.tokens + tokens, cost=progress.cost + event.cost)


def _doing(event: Event) -> str | None:
    match event:
        case news.SandboxSpawning(resumed=resumed):
            return "sandbox resumes" if resumed else "sandbox starts"
        case news.SandboxStatusChanged(status=status):
            return f"sandbox {status}"
        case on.BootProgress(phase=phase, status="started"):
            return f"boot: {phase}"
        case news.StopRequested():
            return "stopping"
        case news.PromptQueued():
            return "waiting"
        case news.PromptDispatched():
            return "starting"
        case news.PromptFinished():
            return "idle"
        case _:
            return _working(event)


def _working(event: Event) -> str | None:
    match event:
        case on.PromptStarted() | on.Reasoning():
            return "thinking"
        case on.Text() | on.TextDelta():
            return "writing"
        case on.Tool(status="running"):
            return cut(tools.name(event), 60)
        case on.Tool(status="completed" | "error"):
            return "thinking"
        case on.Retrying():
            return "the model refused, trying again"
        case on.Committed():
            return "pushing"
        case on.Pushed() | on.ExecutionComplete():
            return "finishing"
        case _:
            return None
