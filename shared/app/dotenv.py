"""What people paste of a `.env` file, read as python-dotenv reads it, and nothing of it dropped."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO

from dotenv.parser import Binding, parse_stream

from shared.domain import secrets
from shared.domain.errors import Invalid

MAX_CHARS = 4 * secrets.MAX_SCOPE_BYTES
"""With all its comments."""

NOTHING = "there is no NAME=value in it"

_NEWLINE = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Line:
    """One entry, where it begins. `name`: where there is a good one; `problem`: none is kept."""

    number: int
    name: str | None
    value: str = field(default="", repr=False)
    problem: str | None = None


def parse(text: str) -> dict[str, str]:
    """By the names they are kept under; `$OTHER` stays what it says.

    Raises `Invalid` with the line, and with the name where there is a good one: what stands where a
    name should may be the rest of a value.
    """
    found: dict[str, str] = {}
    for line in lines(text):
        if line.name is None or line.problem is not None:
            raise Invalid("text", f"line {line.number}: {said(line)}")
        found[line.name] = line.value
    if not found:
        raise Invalid("text", NOTHING)
    return found


def lines(text: str) -> Iterator[Line]:
    """All of them, those too that are refused. Raises `Invalid` when there is too much."""
    if len(text) > MAX_CHARS:
        raise Invalid("text", f"it may have {MAX_CHARS} characters")
    names: set[str] = set()
    for number, binding in _bindings(text):
        line = _read(number, binding)
        if line.name in names and line.problem is None:
            line = Line(number, line.name, problem="it is given twice")
        if line.name is not None:
            names.add(line.name)
        yield line


def said(line: Line) -> str:
    """What is wrong with it, with its name."""
    named = "" if line.name is None else f"{line.name}: "
    return f"{named}{line.problem}"


def _bindings(text: str) -> Iterator[tuple[int, Binding]]:
    """`dotenv_values` would leave out what it cannot read."""
    for binding in parse_stream(StringIO(text)):
        if binding.key is not None or binding.error:
            before = binding.original.string
            blank = before[: len(before) - len(before.lstrip())]
            yield binding.original.line + len(_NEWLINE.findall(blank)), binding


def _read(number: int, binding: Binding) -> Line:
    if binding.error or binding.key is None or binding.value is None:
        problem = "it is no NAME=value; a value of many lines needs ''"
        return Line(number, None, problem=problem)
    try:
        name = secrets.name(binding.key)
        secrets.size(name, binding.value)
    except Invalid as error:
        named = None if error.field == "name" else error.field
        return Line(number, named, problem=error.problem)
    return Line(number, name, binding.value)
