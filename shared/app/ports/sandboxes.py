"""The provider of sandboxes: what a session's life needs of it, and the three ways it can fail.

* `SandboxUnavailable`: nothing is known to have happened; the same call may succeed later
* `SandboxRefused`: it will never do this; trying again does not help
* `SandboxGone`: there is no such sandbox
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol

from shared.domain.errors import DomainError, NotFound, Unavailable


class SandboxUnavailable(Unavailable):
    code = "sandbox_unavailable"


class SandboxRefused(DomainError):
    code = "sandbox_refused"


class SandboxGone(NotFound):
    code = "sandbox_gone"


@dataclass(frozen=True, slots=True)
class SandboxInfo:
    provider_id: str
    state: Literal["running", "paused"]
    ends_at: datetime | None
    """When a running one is paused by the provider; None for a paused one."""
    metadata: Mapping[str, str]


class Sandboxes(Protocol):
    """Every call can raise `SandboxUnavailable` and `SandboxRefused`, and is safe to repeat."""

    def create(
        self,
        *,
        key: str,
        metadata: Mapping[str, str],
        environment: Mapping[str, str],
        timeout: timedelta,
        snapshot: str | None = None,
    ) -> SandboxInfo:
        """The same key is the same sandbox; with another request it is unavailable, because the
        provider says the same when the first request is still under way.

        At its time it is paused, never killed; it does not resume by itself, and nothing outside
        reaches it. Raises `SandboxGone` when that sandbox has been killed meanwhile.
        """
        ...

    def resume(self, provider_id: str, *, timeout: timedelta) -> SandboxInfo:
        """A cold boot on its files; one that runs already is left as it is, for no shorter time.

        Raises `SandboxGone`.
        """
        ...

    def pause(self, provider_id: str) -> None:
        """Keeps the files and nothing else; a paused one is fine. Raises `SandboxGone`."""
        ...

    def kill(self, provider_id: str) -> None:
        """With its files; one that is gone is fine."""
        ...

    def find(self, metadata: Mapping[str, str]) -> tuple[SandboxInfo, ...]:
        """All that have these values, running or paused."""
        ...

    def info(self, provider_id: str) -> SandboxInfo:
        """Raises `SandboxGone`."""
        ...

    def keep_until(self, provider_id: str, timeout: timedelta) -> None:
        """From now, longer or shorter than before. Raises `SandboxGone`; refused when paused."""
        ...

    def write_secret(self, provider_id: str, path: str, content: bytes) -> None:
        """A file for its user alone; the content is on no command line and in no environment.

        Raises `SandboxGone`; refused when paused.
        """
        ...

    def start(self, provider_id: str, command: str) -> None:
        """Detached: it goes on after this returns. Providers log commands: no secret in one.

        Raises `SandboxGone`; refused when paused.
        """
        ...
