"""Where one machine keeps its Outboard, and on which ports it is."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from infra.local.refusal import Refusal
from layers.artifact import ROOT

DEFAULT_PORT = 4700
_LOWEST, _HIGHEST = 1024, 65_535 - 3


@dataclass(frozen=True, slots=True)
class Place:
    state: Path
    """Only its owner may look inside: it holds sessions, keys and tokens."""
    port: int
    """The AWS host's; the sandbox host, the repository host and the demo model follow."""

    @property
    def ports(self) -> Mapping[str, int]:
        names = ("the AWS host", "the sandbox host", "the repository host", "the demo model")
        return {name: self.port + offset for offset, name in enumerate(names)}

    @property
    def aws_url(self) -> str:
        return _url(self.port)

    @property
    def sandboxes_url(self) -> str:
        return _url(self.port + 1)

    @property
    def repositories_url(self) -> str:
        return _url(self.port + 2)

    @property
    def model_url(self) -> str:
        return _url(self.port + 3)

    @property
    def aws_key(self) -> Path:
        return self.state / "aws.key"

    @property
    def sandboxes_key(self) -> Path:
        return self.state / "sandboxes.key"

    @property
    def repositories_key(self) -> Path:
        return self.state / "repositories.key"

    @property
    def endpoint(self) -> Path:
        """Tells the command line where everything is, while it is there."""
        return self.state / "endpoint.json"

    @property
    def logs(self) -> Path:
        return self.state / "logs"

    def token(self, user: str) -> Path:
        return self.state / "users" / f"{user}.token"

    def make(self) -> None:
        for directory in (self.state, self.logs, self.state / "users"):
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        owner = self.state.stat().st_uid
        if owner != os.geteuid():
            raise Refusal(
                f"{self.state} belongs to user id {owner}, and so does the Outboard in it"
            )
        self.state.chmod(0o700)


def from_environment(environment: Mapping[str, str]) -> Place:
    """Raises `Refusal`."""
    given = environment.get("OUTBOARD_PORT") or str(DEFAULT_PORT)
    port = int(given) if given.isdecimal() else 0
    if not _LOWEST <= port <= _HIGHEST:
        raise Refusal(f"OUTBOARD_PORT is {given!r}: it has to be from {_LOWEST} to {_HIGHEST}")
    state = Path(environment.get("OUTBOARD_STATE") or ROOT / ".outboard")
    return Place(state.absolute(), port)


def _url(port: int) -> str:
    return f"http://127.0.0.1:{port}"
