"""Undoes what OpenCode writes into a repository's own configuration when it reads it.

OpenCode adds a `$schema` to each of these files that has none; the change would end up in the
commit of whatever the agent does next.
"""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_NAMES: Final = (
    "opencode.json",
    "opencode.jsonc",
    ".opencode/opencode.json",
    ".opencode/opencode.jsonc",
)


@contextmanager
def pristine(workdir: Path) -> Generator[None]:
    """Around the time in which OpenCode loads the configuration of a checkout."""
    before = {path: path.read_bytes() for name in _NAMES if (path := workdir / name).is_file()}
    try:
        yield
    finally:
        for path, content in before.items():
            if not path.is_file() or path.read_bytes() != content:
                path.write_bytes(content)
