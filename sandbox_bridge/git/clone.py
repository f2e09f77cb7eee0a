"""Brings a repository into the workspace: cloned whole, or, when it is there, left as it is.

The whole history, not a partial clone: the agent reads history with its own commands, and a clone
that fetches on demand would make each of them wait for the network. What cannot be cloned within
the time limit is refused with a sentence.
"""

import shutil
from pathlib import Path

from sandbox_bridge.git.checkout import BASE, PUSHED, Checkout
from sandbox_bridge.git.command import OVER_THE_NETWORK, GitFailed
from shared.protocol.bridge import RepositorySpec


async def clone(checkout: Checkout, spec: RepositorySpec) -> None:
    """Raises `GitFailed`. The directory is there when all of it is there, or not at all."""
    place = checkout.git.directory
    draft = place.with_name(f".{place.name}.cloning")
    shutil.rmtree(draft, ignore_errors=True)
    branch = ("--branch", spec.branch) if spec.branch else ()
    await checkout.git.within(place.parent)(
        "clone", "--quiet", *branch, "--", spec.url, str(draft), timeout=OVER_THE_NETWORK
    )
    cloned = Checkout(spec.name, spec.url, checkout.branch, checkout.git.within(draft))
    await _begin_branch(cloned, spec)
    draft.rename(place)


async def _begin_branch(checkout: Checkout, spec: RepositorySpec) -> None:
    """On the session branch: where the remote has it, else where work starts."""
    base = await checkout.commit_at("HEAD")
    if base is None:
        await checkout.git("symbolic-ref", "HEAD", checkout.remote_branch)
        return
    await _require_branch(checkout, spec)
    await checkout.remember(BASE, base)
    pushed = await checkout.commit_at(checkout.tracking)
    if pushed:
        await checkout.remember(PUSHED, pushed)
    start = pushed or base
    await checkout.git("checkout", "--quiet", "--no-track", "-B", checkout.branch, start)


async def _require_branch(checkout: Checkout, spec: RepositorySpec) -> None:
    # `git clone --branch` takes a tag as well, which is nothing that work can start a branch from
    # and come back to.
    if spec.branch and not await checkout.commit_at(f"refs/remotes/origin/{spec.branch}"):
        raise GitFailed(f"{spec.branch!r} is not a branch")


def unlock(place: Path) -> None:
    """Remove locks of git processes that were killed. Only while none can be running."""
    git = place / ".git"
    for pattern in ("*.lock", "refs/**/*.lock", "modules/*/*.lock", "worktrees/*/*.lock"):
        for lock in git.glob(pattern):
            lock.unlink(missing_ok=True)
