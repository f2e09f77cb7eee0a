"""The launch file: read once and gone, then handed to each bridge through memory."""

import os
from pathlib import Path

from shared.protocol.bridge import Identity


def claim(path: Path) -> bytes | None:
    """What the file held, if this process is the one that took it away; else None.

    Two supervisors may be started for one launch: the deletion says whose it is.
    """
    try:
        content = path.read_bytes()
        path.unlink()
    except FileNotFoundError:
        return None
    return content


def parse(content: bytes) -> Identity:
    """Raises `ValidationError`."""
    return Identity.model_validate_json(content)


def in_memory(content: bytes) -> int:
    """A descriptor to read `content` from: no file, no argument, no variable ever holds it."""
    descriptor = os.memfd_create("identity")
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def from_stdin() -> Identity:
    """Read what `in_memory` left as standard input, and close it to everything started later."""
    with os.fdopen(os.dup(0), "rb") as file:
        content = file.read()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return parse(content)
