"""The provider of sandboxes: what a session's life needs of it, and the ways it can fail.

* `SandboxUnavailable`: it is not known what happened; the same call may succeed later
    * `SandboxLimited`: nothing happened, because we ask too often or have too many
* `SandboxRefused`: it will never do this; trying again does not help
    * `AccessRefused`: it does nothing for us, whatever we ask
* `SandboxGone`: there is no such sandbox
    * `SnapshotGone`: there is no such snapshot or image to create one from
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol

from shared.domain.errors import DomainError, NotFound, Unavailable


class SandboxUnavailable(Unavailable):
    code = "sandbox_unavailable"


class SandboxLimited(SandboxUnavailable):
    code = "sandbox_limited"

    def __init__(self, message: str, retry_after: timedelta | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """What the provider asks for, if it says so."""


class SandboxRefused(DomainError):
    code = "sandbox_refused"


class AccessRefused(SandboxRefused):
    code = "access_refused"


class SandboxGone(NotFound):
    code = "sandbox_gone"


class SnapshotGone(SandboxGone):
    code = "snapshot_gone"


@dataclass(frozen=True, slots=True)
class SandboxInfo:
    provider_id: str
    state: Literal["running", "paused"]
    ends_at: datetime | None
    """When a running one is paused by the provider; None for a paused one."""
    metadata: Mapping[str, str]
    started_at: datetime
    """Its creation, or a later boot where the provider counts so: it is never less old than this
    says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSize:
    """None: as the template is built when nobody says anything."""

    cpu_cores: int | None = None
    memory_mib: int | None = None


ANY_SIZE = SandboxSize()


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
        tunnels: bool = False,
        size: SandboxSize = ANY_SIZE,
    ) -> SandboxInfo:
        """The same key is the same sandbox; with another request it is unavailable, because the
        provider says the same when the first request is still under way.

        At its time it is paused, never killed; it does not resume by itself. Nothing outside
        reaches it, except, with `tunnels`, its ports at their `address`. A size that no template
        was built in is refused; with a snapshot there is nothing to choose: the size is that of
        the sandbox it was taken from.
        Raises `SandboxGone` when that sandbox has been killed meanwhile, `SnapshotGone` when the
        snapshot does not exist any more.
        """
        ...

    def resume(self, provider_id: str, *, timeout: timedelta) -> SandboxInfo:
        """A cold boot on its files; one that runs already is left as it is, for no shorter time.

        Raises `SandboxGone`.
        """
        ...

    def pause(self, provider_id: str) -> None:
        """Keeps the files and nothing else; a paused one is fine, and so is one that turns out
        to be paused when the answer got lost. Raises `SandboxGone`.
        """
        ...

    def kill(self, provider_id: str) -> None:
        """With its files; one that is gone is fine."""
        ...

    def find(self, metadata: Mapping[str, str]) -> tuple[SandboxInfo, ...]:
        """All that have these values, running or paused, however many."""
        ...

    def info(self, provider_id: str) -> SandboxInfo:
        """Raises `SandboxGone`."""
        ...

    def address(self, provider_id: str, port: int) -> str:
        """Where a port of it is reached from outside, whether anything listens there or not.

        Only for one created with `tunnels`; the same after each resume. Raises `SandboxGone`.
        """
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

    def snapshot(self, provider_id: str, name: str) -> str:
        """A copy of a running one's files, to `create` from; it runs on, after standing still.

        The name is of lower-case letters, digits, `-` and `_`. Each copy that is wanted has its
        own: asked for again under a name, the copy of that name is taken anew and stays the same
        snapshot, so that repeating after an unknown outcome leaves one.
        Raises `SandboxGone`; refused when paused, and where the provider does not offer it.
        """
        ...

    def find_snapshot(self, name: str) -> str | None:
        """What an unknown outcome left, once it is complete."""
        ...

    def snapshots(self, prefix: str) -> Mapping[str, str]:
        """All whose name begins so, by name."""
        ...

    def forget_snapshot(self, snapshot_id: str) -> None:
        """One that is gone is fine. Refused while a paused sandbox was created from it."""
        ...
