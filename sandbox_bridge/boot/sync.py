"""The repositories of the session, side by side in the workspace."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from sandbox_bridge.boot.report import BootFailed
from sandbox_bridge.git import remote
from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.clone import clone, unlock
from sandbox_bridge.git.command import GitFailed
from shared.protocol.bridge import RepositorySpec


@dataclass(frozen=True, slots=True)
class Synced:
    """`cloned`: by this boot. `warning`: it is usable, but not as it should be."""

    cloned: bool
    warning: str | None = None


async def sync(pairs: Sequence[tuple[Checkout, RepositorySpec]], *, resumed: bool) -> list[Synced]:
    """All at once; the first that fails ends it. Raises `BootFailed`."""
    for _, spec in pairs:
        _require_plain_name(spec.name)
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(_sync(checkout, spec, resumed=resumed))
                for checkout, spec in pairs
            ]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]


def _require_plain_name(name: str) -> None:
    if "/" in name or name.startswith(".") or not name:
        raise BootFailed(f"{name!r} is no name for a directory", repository=name)


async def _sync(checkout: Checkout, spec: RepositorySpec, *, resumed: bool) -> Synced:
    if (checkout.git.directory / ".git").is_dir():
        return await _adopt(checkout, resumed=resumed)
    try:
        await clone(checkout, spec)
    except (GitFailed, OSError) as error:
        raise BootFailed(f"{spec.name}: {error}", repository=spec.name) from error
    missing = f"{spec.name} was not in the workspace and was cloned again"
    return Synced(cloned=True, warning=missing if resumed else None)


async def _adopt(checkout: Checkout, *, resumed: bool) -> Synced:
    """The files are the session's work: nothing but the view of the remote is renewed."""
    unlock(checkout.git.directory)
    if not resumed:
        return Synced(cloned=True)  # by this attempt's bridge, before it had to start over
    try:
        await remote.fetch(checkout)
    except GitFailed as error:
        return Synced(cloned=False, warning=f"{checkout.name}: not fetched: {error}")
    return Synced(cloned=False)
