"""A git whose remote gives no answer until the test says so."""

import os
import shutil
from pathlib import Path


class SlowRemote:
    def __init__(self, place: Path) -> None:
        self._place = place
        place.mkdir()
        program = place / "git"
        program.write_text(
            "#!/bin/bash\n"
            'if [[ " $* " =~ " "(ls-remote|fetch|clone)" " ]]; then\n'
            f"  while [ ! -e {place}/go ]; do sleep 0.02; done\nfi\n"
            f'exec {shutil.which("git")} "$@"\n'
        )
        program.chmod(0o755)

    @property
    def environment(self) -> dict[str, str]:
        return {"PATH": f"{self._place}:{os.environ['PATH']}"}

    def answer(self) -> None:
        (self._place / "go").touch()
