"""Branches on the remote: where they are, and how they come to be known here.

Neither the checkout nor what is remembered as our own push is ever touched.
"""

from typing import Final

from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.command import OVER_THE_NETWORK, GitFailed

_SYMBOLIC: Final = "ref: refs/heads/"


async def tip(checkout: Checkout) -> str | None:
    """The commit that the session branch has on the remote now; None when it is not there."""
    listed = await checkout.git(
        "ls-remote", checkout.url, checkout.remote_branch, timeout=OVER_THE_NETWORK
    )
    commit = listed.decode().partition("\t")[0]
    return commit or None


async def fetch(checkout: Checkout) -> str | None:
    """Bring the session branch here as `origin/<branch>`, if the remote has it."""
    if await tip(checkout) is None:
        return None
    return await fetch_branch(checkout, checkout.branch)


async def fetch_branch(checkout: Checkout, branch: str) -> str:
    """The commit of `origin/<branch>`, as it is now. Raises `GitFailed`."""
    tracking = f"refs/remotes/origin/{branch}"
    await checkout.git(
        *("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"),
        *("--", checkout.url, f"+refs/heads/{branch}:{tracking}"),
        timeout=OVER_THE_NETWORK,
    )
    return await checkout.git.line("rev-parse", "--verify", f"{tracking}^{{commit}}")


async def default_branch(checkout: Checkout) -> str:
    listed = await checkout.git(
        *("ls-remote", "--symref", "--", checkout.url, "HEAD"), timeout=OVER_THE_NETWORK
    )
    # The first line: "ref: refs/heads/<branch>\tHEAD".
    named = listed.decode(errors="replace").partition("\t")[0]
    if not named.startswith(_SYMBOLIC):
        raise GitFailed("the remote names no default branch")
    return named.removeprefix(_SYMBOLIC)
