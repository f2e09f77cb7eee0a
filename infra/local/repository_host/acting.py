"""Runs git on a repository that may be somebody else's: as whom, and with which settings.

Its own configuration can name programs to run. That is fine for whoever owns it and for nobody
else, so what is somebody else's is touched as that somebody where we can (we are root), and with
every such setting overruled where we can't.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_OVERRULED: Mapping[str, str] = {
    "safe.directory": "*",
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.alternateRefsCommand": "true",
    "gpg.program": "false",
    "gpg.ssh.program": "false",
    "gpg.x509.program": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
}
_TIME = 20


class GitFailed(Exception):
    """With what git said."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Whom git runs as. Without an id: as ourselves."""

    uid: int | None = None
    gid: int | None = None
    stranger: bool = False
    """It acts on what belongs to somebody else, whose settings it must not trust."""

    @property
    def name(self) -> str:
        return f"user id {os.geteuid() if self.uid is None else self.uid}"

    def process(self) -> dict[str, Any]:
        """Arguments for `subprocess` and `asyncio.create_subprocess_exec`."""
        if self.uid is None:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": ()}

    def environment(self, settings: Mapping[str, str]) -> dict[str, str]:
        at_home = self.uid is None and not self.stranger
        home = os.environ.get("HOME") if at_home else None
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "LC_ALL": "C.UTF-8",
            "GIT_TERMINAL_PROMPT": "0",
            # `git status` would rewrite the index to save itself work the next time.
            "GIT_OPTIONAL_LOCKS": "0",
            **({"HOME": home} if home else {"GIT_CONFIG_GLOBAL": "/dev/null"}),
            **as_environment({**_OVERRULED, **settings}),
        }

    def git(self, place: Path, *arguments: str, settings: Mapping[str, str] | None = None) -> str:
        """What it prints, without the last newline. Raises `GitFailed`."""
        done = self.run(("git", "-C", str(place), *arguments), settings)
        if done.returncode:
            raise GitFailed(done.stderr.decode(errors="replace").strip())
        return done.stdout.decode(errors="surrogateescape").removesuffix("\n")

    def run(
        self, command: Sequence[str], settings: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Raises `GitFailed` when it takes too long."""
        try:
            return subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_TIME,
                check=False,
                env=self.environment(settings or {}),
                **self.process(),
            )
        except subprocess.TimeoutExpired as error:
            raise GitFailed(f"no answer within {_TIME} seconds") from error


def acting_on(place: Path) -> Actor:
    """As its owner where that is possible, so that what is written stays the owner's."""
    owner = place.stat()
    if owner.st_uid == os.geteuid():
        return Actor()
    as_owner = Actor(owner.st_uid, owner.st_gid)
    if os.geteuid() == 0 and _reaches(as_owner, place):
        return as_owner
    return Actor(stranger=True)


def as_environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings that outrank every file."""
    numbered = {
        f"GIT_CONFIG_{part}_{index}": text
        for index, setting in enumerate(settings.items())
        for part, text in zip(("KEY", "VALUE"), setting, strict=True)
    }
    return {"GIT_CONFIG_COUNT": str(len(settings)), **numbered}


def _reaches(actor: Actor, place: Path) -> bool:
    """A parent may keep the owner out, and git may be where only we can run it."""
    return actor.run(("git", "-C", str(place), "rev-parse", "--git-dir")).returncode == 0
