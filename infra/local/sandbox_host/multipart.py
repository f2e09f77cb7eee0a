"""A multipart form in memory, taken apart: what envd's clients send to write files.

Bytes are cut at the boundaries and never interpreted, so any content comes through as it was.
"""

import re
from dataclasses import dataclass
from email.message import Message

from infra.local.sandbox_host.refusals import Malformed

_FILENAME = re.compile(rb'content-disposition:[^\r\n]*;\s*filename="([^"\r\n]*)"', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    filename: str | None
    content: bytes


def parts(content_type: str, body: bytes) -> tuple[Part, ...]:
    """Raises Malformed."""
    delimiter = b"\r\n--" + _boundary(content_type)
    _, *between = (b"\r\n" + body).split(delimiter)
    if not between or not between[-1].startswith(b"--"):
        raise Malformed("the form is cut off")
    return tuple(_part(raw) for raw in between[:-1])


def _boundary(content_type: str) -> bytes:
    header = Message()
    header["content-type"] = content_type
    boundary = header.get_param("boundary")
    if not isinstance(boundary, str) or not boundary:
        raise Malformed("the form names no boundary")
    return boundary.encode()


def _part(raw: bytes) -> Part:
    head, separator, content = raw.removeprefix(b"\r\n").partition(b"\r\n\r\n")
    if not separator:
        raise Malformed("a part of the form has no headers")
    # Not by a header parser: names are UTF-8 as they are, which mail never allowed.
    name = _FILENAME.search(head)
    return Part(name[1].decode(errors="replace") if name else None, content)
