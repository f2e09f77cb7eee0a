"""The repositories of the session, side by side in the workspace."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from sandbox_bridge.boot.record import BootRecord
from sandbox_bridge.boot.report import BootFailed
from sandbox_bridge.git import remote, renewal
from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.clone import clone
from sandbox_bridge.git.command import GitFailed
from shared.protocol.bridge import BootPath, RepositorySpec

type Pair = tuple[Checkout, RepositorySpec]


@dataclass(frozen=True, slots=True)
class Synced:
    """`cloned`: by this attempt. `warning`: it is usable, but not as it should be."""

    cloned: bool
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class Sync:
    """`files_change` is held while a checkout's files do."""

    path: BootPath
    record: BootRecord
    files_change: asyncio.Lock = field(default_factory=asyncio.Lock)

    def lacks(self, pairs: Sequence[Pair]) -> bool:
        """Whether one has to be cloned before anything can run in it."""
        return not all(self._is_here(checkout) for checkout, _ in pairs)

    async def run(self, pairs: Sequence[Pair]) -> list[Synced]:
        """All at once; the first that can't be had ends it. Raises `BootFailed`."""
        for _, spec in pairs:
            _require_plain_name(spec.name)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._one(*pair)) for pair in pairs]
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        return [task.result() for task in tasks]

    def _is_here(self, checkout: Checkout) -> bool:
        """What the session itself has left is its work, even when it is no repository any more."""
        is_kept = self.path in {"resume", "restore"}
        place = checkout.git.directory
        return place.is_dir() if is_kept else (place / ".git").is_dir()

    async def _one(self, checkout: Checkout, spec: RepositorySpec) -> Synced:
        if not self._is_here(checkout):
            return await self._clone(checkout, spec)
        match self.path:
            case "fresh":
                return Synced(cloned=True)  # by a bridge that had to start over
            case "image" if not self.record.holds("renewed", checkout.name):
                return await self._renew(checkout, spec)
            case _:
                return await _keep(checkout)

    async def _clone(self, checkout: Checkout, spec: RepositorySpec) -> Synced:
        try:
            await clone(checkout, spec)
        except (GitFailed, OSError) as error:
            reason = f"{spec.name}: {error}"
            raise BootFailed(reason, kind="repository", repository=spec.name) from error
        # What this attempt cloned is as fresh as can be.
        self.record.add("renewed", spec.name)
        missing = f"{spec.name} was not in the workspace and was cloned again"
        return Synced(cloned=True, warning=None if self.path == "fresh" else missing)

    async def _renew(self, checkout: Checkout, spec: RepositorySpec) -> Synced:
        warning = None
        try:
            start = await renewal.fetch(checkout, spec)
            async with self.files_change:
                await renewal.begin(checkout, start)
        except (GitFailed, OSError) as problem:
            warning = f"{checkout.name}: not brought up to date: {problem}"
            with suppress(GitFailed, OSError):
                await renewal.make_do(checkout)
        self.record.add("renewed", checkout.name)
        return Synced(cloned=False, warning=warning)


async def _keep(checkout: Checkout) -> Synced:
    """The files are the session's work: nothing but the view of the remote is renewed."""
    if not (checkout.git.directory / ".git").exists():
        warning = f"{checkout.name} is no git repository any more: its files are kept"
        return Synced(cloned=False, warning=warning)
    try:
        await remote.fetch(checkout)
    except (GitFailed, OSError) as error:
        return Synced(cloned=False, warning=f"{checkout.name}: not fetched: {error}")
    return Synced(cloned=False)


def _require_plain_name(name: str) -> None:
    if "/" in name or name.startswith(".") or not name:
        raise BootFailed(f"{name!r} is no name for a directory", kind="repository", repository=name)
