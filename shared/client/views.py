"""Sessions, prompts, models and users as lines for a person."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from shared.client.lines import Line, Tone, cells, cut
from shared.client.money import dollars
from shared.client.settings import summary
from shared.client.untrusted import clean_line
from shared.protocol.api import (
    ArtifactView,
    ModelList,
    PromptView,
    SessionView,
    UserView,
)
from shared.protocol.inbox import RememberedRepository
from shared.protocol.provenance import SessionEnvironment

TITLE_CELLS = 60
TEXT_CELLS = 100

DELETED = "Environment deleted"

DEMO = Line("demo model: its answers are scripted, no real model is asked", Tone.STRONG)


def demo(session: SessionView) -> tuple[Line, ...]:
    return (DEMO,) if session.demo else ()


def session_line(session: SessionView) -> Line:
    labels = [clean_line(repository.label) for repository in session.repositories]
    where = ", ".join(labels) or "no repository"
    return Line(f"session {session.id} on {where}, model {clean_line(session.model)}", Tone.STRONG)


def sessions(found: Sequence[SessionView], now: datetime) -> tuple[Line, ...]:
    if not found:
        return (Line("no sessions", Tone.DIM),)
    rows = [("id", "status", "sandbox", "changed", "cost", "title"), *(_row(s, now) for s in found)]
    return table(rows)


def _row(session: SessionView, now: datetime) -> tuple[str, ...]:
    title = cut(clean_line(session.title) or "(no title)", TITLE_CELLS)
    return (
        session.id,
        session.status,
        session.sandbox.status,
        ago(now - session.updated_at),
        dollars(session.cost) + (" demo" if session.demo else ""),
        title,
    )


def session(
    found: SessionView, prompts: Sequence[PromptView], artifacts: Sequence[ArtifactView]
) -> tuple[Line, ...]:
    facts = [
        ("title", clean_line(found.title)),
        ("owner", found.owner),
        ("status", _status(found)),
        *(("repository", repository(r.label, r.branch)) for r in found.repositories),
        *(() if found.repositories else (("repository", "none"),)),
        ("environment", _environment(found.environment)),
        ("model", " ".join(filter(None, (clean_line(found.model), found.effort)))),
        ("sandbox", _sandbox(found)),
        ("settings", summary(found.settings)),
        *_pushed(found),
        ("cost", dollars(found.cost)),
        ("created", f"{found.created_at:%Y-%m-%d %H:%M:%S %Z}"),
    ]
    shown = table([(f"  {name}", value) for name, value in facts if value])
    return (
        Line(f"session {found.id}", Tone.STRONG),
        *demo(found),
        *shown,
        *(line for prompt in prompts for line in _prompt(prompt)),
        *(_artifact(artifact) for artifact in artifacts),
    )


def _status(found: SessionView) -> str:
    """A list has the bare word, which is also what it is filtered by."""
    stopped = found.status == "completed" and found.outcome == "stopped"
    return f"{found.status}: the last prompt was stopped" if stopped else found.status


def _environment(of: SessionEnvironment | None) -> str:
    if of is None:
        return ""
    return DELETED if of.deleted else clean_line(of.name)


def repository(label: str, branch: str | None) -> str:
    return f"{clean_line(label)} ({clean_line(branch)})" if branch else clean_line(label)


def _sandbox(found: SessionView) -> str:
    sandbox = found.sandbox
    parts = (sandbox.status, sandbox.phase, clean_line(sandbox.error or ""))
    return ": ".join(part for part in parts if part)


def _pushed(found: SessionView) -> list[tuple[str, str]]:
    """With one repository it goes without saying where."""
    if len(found.repositories) == 1:
        return [("branch", _at(found.branch, found.commit))]
    return [
        ("branch", f"{clean_line(each.name)}: {_at(each.pushed_branch, each.pushed_commit)}")
        for each in found.repositories
        if each.pushed_branch
    ]


def _at(branch: str | None, commit: str | None) -> str:
    return f"{clean_line(branch)} at {clean_line(commit or '')[:12]}" if branch else ""


def _prompt(prompt: PromptView) -> tuple[Line, ...]:
    words = cut(clean_line(prompt.text), TEXT_CELLS)
    cost = f" {dollars(prompt.cost)}" if prompt.cost else ""
    line = Line(f"  prompt {prompt.number} {prompt.status}{cost}: {words}")
    if not prompt.error:
        return (line,)
    return (line, Line(f"    {clean_line(prompt.error)}", Tone.BAD))


def _artifact(artifact: ArtifactView) -> Line:
    words = (artifact.kind, artifact.title, artifact.url or "")
    return Line(f"  artifact {' '.join(clean_line(word) for word in words if word)}")


def models(found: ModelList) -> tuple[Line, ...]:
    rows = [
        (
            "*" if model.id == found.default else " ",
            clean_line(model.id),
            clean_line(model.label),
            ", ".join(clean_line(effort) for effort in model.efforts),
        )
        for model in found.models
    ]
    return (*((DEMO,) if found.demo else ()), *table(rows))


def repositories(found: Sequence[RememberedRepository], now: datetime) -> tuple[Line, ...]:
    if not found:
        return (Line("no repositories", Tone.DIM),)
    rows = [
        (clean_line(known.name), ago(now - known.used_at), repository(known.label, known.branch))
        for known in found
    ]
    return table([("name", "used", "repository"), *rows])


def added(known: RememberedRepository) -> tuple[str, ...]:
    return (f"{clean_line(known.name)} is {repository(known.label, known.branch)}",)


def users(found: Iterable[UserView]) -> tuple[Line, ...]:
    return table([(user.name, user.role, f"{user.created_at:%Y-%m-%d}") for user in found])


def table(rows: Sequence[Sequence[str]]) -> tuple[Line, ...]:
    """Columns as wide as what is in them; the last one is not padded."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    return tuple(Line("  ".join(_padded(row, widths)).rstrip()) for row in rows)


def _padded(row: Sequence[str], widths: Sequence[int]) -> Iterable[str]:
    return (text + " " * (width - cells(text)) for text, width in zip(row, widths, strict=True))


def ago(duration: timedelta) -> str:
    minutes = int(duration.total_seconds() // 60)
    for unit, size in (("d", 24 * 60), ("h", 60), ("min", 1)):
        if minutes >= size:
            return f"{minutes // size} {unit} ago"
    return "now"
