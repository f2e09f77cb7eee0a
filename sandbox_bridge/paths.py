"""Where things are in a sandbox: under `OUTBOARD_ROOT`, which is `/` in a real one."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from shared.protocol.bridge import IDENTITY_PATH


@dataclass(frozen=True, slots=True)
class Paths:
    root: Path = Path("/")

    @property
    def identity(self) -> Path:
        return self.root / IDENTITY_PATH.lstrip("/")

    @property
    def runtime(self) -> Path:
        """On a tmpfs: gone with the sandbox's memory, never in a snapshot."""
        return self.identity.parent

    @property
    def workspace(self) -> Path:
        return self.root / "workspace"

    @property
    def home(self) -> Path:
        return self.root / "home/user"

    @property
    def state(self) -> Path:
        """What of ours stays with the files: logs, and the harness's own memory."""
        return self.home / ".outboard"

    @property
    def marker(self) -> Path:
        """On the same disk as the workspace, so it is in every pause and snapshot of that."""
        return self.state / "marker.json"

    @property
    def template(self) -> Path:
        return self.root / "opt/outboard"

    @property
    def wrappers(self) -> Path:
        """Programs of ours that stand before others of their names."""
        return self.template / "first"


def of(environment: Mapping[str, str]) -> Paths:
    return Paths(Path(environment.get("OUTBOARD_ROOT") or "/"))
