"""What people paste of a `.env` file, read as python-dotenv reads it, and nothing of it dropped."""

import re
from collections.abc import Iterator
from io import StringIO

from dotenv.parser import Binding, parse_stream

from shared.domain import secrets
from shared.domain.errors import Invalid

MAX_CHARS = 4 * secrets.MAX_SCOPE_BYTES
"""With all its comments."""

_NEWLINE = re.compile(r"\r\n|\n|\r")


def parse(text: str) -> dict[str, str]:
    """By the names they are kept under; `$OTHER` stays what it says.

    Raises `Invalid` with the line, and with the name where there is a good one: what stands where a
    name should may be the rest of a value.
    """
    if len(text) > MAX_CHARS:
        raise Invalid("text", f"it may have {MAX_CHARS} characters")
    found: dict[str, str] = {}
    for line, binding in _bindings(text):
        name, value = _read(line, binding)
        if name in found:
            raise Invalid("text", f"line {line}: {name} is given twice")
        found[name] = value
    if not found:
        raise Invalid("text", "there is no NAME=value in it")
    return found


def _bindings(text: str) -> Iterator[tuple[int, Binding]]:
    """`dotenv_values` would leave out what it cannot read."""
    for binding in parse_stream(StringIO(text)):
        if binding.key is not None or binding.error:
            before = binding.original.string
            blank = before[: len(before) - len(before.lstrip())]
            yield binding.original.line + len(_NEWLINE.findall(blank)), binding


def _read(line: int, binding: Binding) -> tuple[str, str]:
    if binding.error or binding.key is None or binding.value is None:
        raise Invalid("text", f"line {line}: it is no NAME=value; a value of many lines needs ''")
    try:
        name = secrets.name(binding.key)
        secrets.size(name, binding.value)
    except Invalid as error:
        named = "" if error.field == "name" else f"{error.field}: "
        raise Invalid("text", f"line {line}: {named}{error.problem}") from None
    return name, binding.value
