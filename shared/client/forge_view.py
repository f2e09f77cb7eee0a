"""What code hosts have to work on, as lines for a person."""

from datetime import datetime

from shared.client.lines import Line, Tone
from shared.client.untrusted import clean_line
from shared.client.views import ago, table
from shared.protocol.forge import BranchList, ForgeProblem, ForgeRepositoryList, ForgeRepositoryView

_COMMIT_CHARS = 12


def repositories(listed: ForgeRepositoryList, now: datetime) -> tuple[Line, ...]:
    problems = tuple(_problem(one, now) for one in listed.problems)
    if not listed.repositories:
        return (Line("no repositories", Tone.DIM), *problems)
    rows = [(clean_line(one.url), _about(one)) for one in listed.repositories]
    return (*table(rows), *_age(listed.as_of, now), *problems)


def branches(listed: BranchList, now: datetime) -> tuple[Line, ...]:
    if not listed.branches:
        return (Line("no branches", Tone.DIM),)
    rows = [
        (clean_line(one.commit)[:_COMMIT_CHARS], clean_line(one.name)) for one in listed.branches
    ]
    return (*table(rows), *_age(listed.as_of, now))


def _problem(one: ForgeProblem, now: datetime) -> Line:
    listed = "nothing of it is listed"
    if one.listed_at is not None:
        listed = f"what is listed of it is from {ago(now - one.listed_at)}"
    told = f"{clean_line(one.host)}: {clean_line(one.message)}; {listed}"
    return Line(told, Tone.BAD)


def _about(one: ForgeRepositoryView) -> str:
    marks = [*(["private"] if one.private else []), *(["archived"] if one.archived else [])]
    said = clean_line(one.description)
    return f"({', '.join(marks)}) {said}".rstrip() if marks else said


def _age(as_of: datetime | None, now: datetime) -> tuple[Line, ...]:
    return () if as_of is None else (Line(f"as of {ago(now - as_of)}", Tone.DIM),)
