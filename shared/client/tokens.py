"""A user's token on this machine: a file that nobody else can read."""

import os
from pathlib import Path
from tempfile import mkstemp

from shared.client.errors import Refused


def keep(path: Path, token: str) -> None:
    """Whole or not at all: a command that reads meanwhile finds the old token or the new one."""
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        # mkstemp's file is its owner's alone from the start.
        handle, name = mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(f"{token}\n")
        Path(name).replace(path)
    except OSError as error:
        raise Refused(
            f"the token is made but cannot be kept in {path}: {error.strerror}; "
            f"once it can, run: outboard user token {path.stem}"
        ) from error
