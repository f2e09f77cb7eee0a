"""Where the sandbox's ports are reached from outside: a file for the repositories' scripts.

    TUNNEL_SANDBOX_ID=<this sandbox>
    TUNNEL_<port>=<address>

A copy of a sandbox has the file of its original: one with another id is worse than none.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from sandbox_bridge import disk

FILE: Final = ".tunnels.env"
"""In the workspace, where no repository can be: none has a name that begins with a dot."""

PATIENCE = timedelta(seconds=30)

_PREFIX: Final = "TUNNEL_"
_ID: Final = "TUNNEL_SANDBOX_ID"
_LOOK_AGAIN: Final = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Tunnels:
    """`urls` by port, as far as the server knew them when the sandbox was launched."""

    workspace: Path
    sandbox: str
    ports: Sequence[int]
    urls: Mapping[str, str]
    patience: timedelta = PATIENCE

    def prepare(self) -> str | None:
        """Before any script runs. A warning if something is in the way."""
        try:
            if self._told().get(_ID) != self.sandbox:
                self._file.unlink(missing_ok=True)
            if self.ports and not self._missing(self._known):
                disk.put(self._file, _lines(self._known).encode())
        except OSError as error:
            return f"{FILE} could not be written: {error.strerror}"
        return None

    async def wait(self) -> str | None:
        """Until the file tells all that was asked for, whoever writes it; else a warning."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.patience.total_seconds()
        while missing := self._missing(self._told()):
            if loop.time() >= deadline:
                ports = ", ".join(map(str, missing))
                return f"no address was told in time for the tunnels to {ports}"
            await asyncio.sleep(_LOOK_AGAIN)
        return None

    @property
    def _file(self) -> Path:
        return self.workspace / FILE

    @property
    def _known(self) -> dict[str, str]:
        urls = {f"{_PREFIX}{port}": self.urls.get(str(port), "") for port in self.ports}
        return {_ID: self.sandbox, **{name: url for name, url in urls.items() if url}}

    def _missing(self, told: Mapping[str, str]) -> list[int]:
        if told.get(_ID) != self.sandbox:
            return list(self.ports)
        return [port for port in self.ports if not told.get(f"{_PREFIX}{port}")]

    def _told(self) -> dict[str, str]:
        try:
            text = self._file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return {}
        pairs = (line.partition("=") for line in text.splitlines())
        return {name.strip(): value.strip() for name, _, value in pairs}


def _lines(told: Mapping[str, str]) -> str:
    return "".join(f"{name}={value}\n" for name, value in told.items())
