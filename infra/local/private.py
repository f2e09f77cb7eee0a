"""Files of this machine that only their owner can read: whole or absent, also after a crash."""

import os
from pathlib import Path


def write(file: Path, content: str) -> None:
    draft = file.with_name(f"{file.name}.draft")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as writing:
        writing.write(content)
        writing.flush()
        os.fsync(writing.fileno())
    draft.replace(file)
