"""A tool call as lines: what is called, an excerpt of what came of it, the exit code."""

from shared.client.lines import Line, Tone, cut
from shared.client.untrusted import clean, clean_line
from shared.protocol.events import Tool

TITLE_CELLS = 160
ROW_CELLS = 200
HEAD_ROWS = 4
TAIL_ROWS = 6

# What best says what a call without a title does, in the words of the common tools.
_TELLING = ("command", "filePath", "file_path", "path", "pattern", "url", "description")


def header(event: Tool) -> Line:
    return Line(f"* {name(event)}", Tone.STRONG)


def name(event: Tool) -> str:
    title = clean_line(event.title) or _from_input(event)
    tool = clean_line(event.tool)
    return cut(f"{tool}: {title}" if title else tool, TITLE_CELLS)


def result(event: Tool) -> tuple[Line, ...]:
    failed = event.status == "error" or (event.exit_code or 0) != 0
    rows = excerpt(event.output)
    if event.error:
        rows = (*rows, Line(f"  failed: {cut(clean_line(event.error), ROW_CELLS)}", Tone.BAD))
    elif event.status == "error":
        rows = (*rows, Line("  failed", Tone.BAD))
    if event.exit_code is None:
        return rows
    return (*rows, Line(f"  exit code {event.exit_code}", Tone.BAD if failed else Tone.DIM))


def excerpt(output: str) -> tuple[Line, ...]:
    """The first and the last rows: what it was, and how it ended."""
    rows = clean(output).rstrip().split("\n") if output.strip() else []
    left_out = len(rows) - HEAD_ROWS - TAIL_ROWS
    if left_out <= 1:
        return tuple(map(_quoted, rows))
    skipped = Line(f"  | ... {left_out} lines ...", Tone.DIM)
    return (*map(_quoted, rows[:HEAD_ROWS]), skipped, *map(_quoted, rows[-TAIL_ROWS:]))


def _quoted(row: str) -> Line:
    return Line(f"  | {cut(row, ROW_CELLS)}", Tone.DIM)


def _from_input(event: Tool) -> str:
    values = (event.input.get(key) for key in _TELLING)
    return next((clean_line(value) for value in values if isinstance(value, str) and value), "")
