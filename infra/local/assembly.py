"""The synthesised template for this machine, made again only when what it is made from changes."""

import os
import subprocess
import sys
from pathlib import Path

from infra.local.builds import as_program
from infra.local.refusal import Refusal
from infra.sources import WEB
from layers.artifact import BUILD, ROOT, fingerprint, make
from layers.packages import LOCK

ASSEMBLY = BUILD / "assembly"

_INFRA = ROOT / "infra"
_MADE_FROM = (
    *(_INFRA / f"{name}.py" for name in ("app", "names", "sandbox_life", "sources", "stack")),
    _INFRA / "components",
    ROOT / "functions",
    WEB,
    ROOT / "layers",
    ROOT / "shared" / "settings.py",
    LOCK,
)


def synthesised() -> Path:
    """Raises `Refusal`. Starting the CDK takes seconds, and most starts need nothing of it."""
    make(ASSEMBLY, fingerprint(_MADE_FROM), _synthesise)
    return ASSEMBLY


def _synthesise(draft: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "infra.app", "--for-this-machine", "--out", str(draft)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Refusal(f"the template could not be synthesised: {done.stderr.strip()[-3_000:]}")


if __name__ == "__main__":
    as_program(synthesised)
