"""What a program said on a terminal that nobody watched, as it is shown: plain, and its end."""

import re

from sandbox_bridge.redaction.redactor import Redactor
from shared.protocol.events import MAX_TAIL_BYTES, MAX_TAIL_LINES

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def plain(text: str) -> str:
    """As it reads on a terminal at last: no colours, of a progress line its final state."""
    lines = _ESCAPES.sub("", text).replace("\r\n", "\n").split("\n")
    return _CONTROL.sub("", "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines))


def tail(text: str, redact: Redactor) -> str:
    """The end of `text`, redacted as a whole before it is cut into lines."""
    lines = redact(plain(text)).rstrip().split("\n")[-MAX_TAIL_LINES:]
    return _end("\n".join(lines), MAX_TAIL_BYTES)


def _end(text: str, limit: int) -> str:
    raw = text.encode(errors="replace")
    if len(raw) <= limit:
        return raw.decode()
    return raw[-limit:].decode(errors="ignore")
