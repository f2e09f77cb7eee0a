"""What a session has changed, as lines for a person: a diff, or only how much of it there is."""

from collections.abc import Iterator, Mapping

from shared.client.lines import Line, Tone, cut
from shared.client.untrusted import clean, clean_line
from shared.protocol.changes import ChangedFile, ChangedRepository, ChangesView

ROW_CELLS = 2_000

_WORDS = {
    "binary": "binary",
    "too_large": "too large to be shown",
    "metadata_only": "no lines to show",
}


def lines(view: ChangesView, patches: Mapping[str, str] | None = None) -> Iterator[Line]:
    """Without patches: one line for each file."""
    if view.error:
        yield Line(f"the last comparison failed: {clean_line(view.error)}", Tone.BAD)
    if view.revision is None:
        yield Line("nothing has been compared yet", Tone.DIM)
        return
    several = len(view.repositories) > 1
    for repository in view.repositories:
        yield from _repository(repository, patches, heading=several)
    yield Line(_total(view), Tone.DIM)


def counted(additions: int | None, deletions: int | None) -> str:
    return f"+{additions or 0} -{deletions or 0}"


def summary(files: int, additions: int, deletions: int) -> str:
    what = "1 file" if files == 1 else f"{files} files"
    return f"{what} changed, {counted(additions, deletions)}"


def _total(view: ChangesView) -> str:
    totals = view.totals
    words = [
        summary(totals.files, totals.additions, totals.deletions) if totals.files else "no changes"
    ]
    words += ["not all of it is shown"] if view.truncated else []
    words += [f"after prompt {view.prompt}"] if view.prompt else []
    words += [f"{view.compared_at:%Y-%m-%d %H:%M:%S %Z}"] if view.compared_at else []
    return " · ".join(words)


def _repository(
    repository: ChangedRepository, patches: Mapping[str, str] | None, *, heading: bool
) -> Iterator[Line]:
    if heading:
        yield Line(f"== {clean_line(repository.name)}", Tone.STRONG)
    if repository.error:
        yield Line(f"{clean_line(repository.name)}: {clean_line(repository.error)}", Tone.BAD)
    for file in repository.files:
        yield Line(_heading(file), Tone.PLAIN if patches is None else Tone.STRONG)
        if patches is not None:
            yield from _patch(patches.get(file.id, ""))
    if repository.left_out:
        yield Line(f"and {repository.left_out} more files", Tone.DIM)


def _heading(file: ChangedFile) -> str:
    path = clean_line(file.path)
    name = f"{clean_line(file.old_path)} -> {path}" if file.old_path else path
    told = [counted(file.additions, file.deletions)] if file.additions is not None else []
    told += [_WORDS[file.render]] if file.render in _WORDS else []
    return f"{file.status.replace('_', ' ')}: {name} ({', '.join(told)})"


def _patch(patch: str) -> Iterator[Line]:
    """From its first hunk on: what stands before it is in the heading."""
    rows = clean(patch).removesuffix("\n").split("\n") if patch else []
    begun = False
    for row in rows:
        begun = begun or row.startswith("@@")
        if begun:
            yield Line(cut(row, ROW_CELLS), _tone(row))


def _tone(row: str) -> Tone:
    match row[:1]:
        case "+":
            return Tone.GOOD
        case "-":
            return Tone.BAD
        case "@" | "\\":
            return Tone.DIM
        case _:
            return Tone.PLAIN
