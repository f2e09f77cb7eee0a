"""OpenCode's own log goes nowhere: it has commands as they were, and copies of a disk keep files.

What it logs of errors it says to us as well, who hide what is secret in it.
"""

import os
from pathlib import Path
from typing import Final

_NOWHERE: Final = Path(os.devnull)


def silence(data: Path) -> None:
    """`data` is where OpenCode keeps its memory. Repeated at every start; an older log is gone."""
    log = data / "log/opencode.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    for left in log.parent.iterdir():
        if left.is_file() and not left.is_symlink():
            left.unlink()
    if not log.is_symlink():
        log.symlink_to(_NOWHERE)
