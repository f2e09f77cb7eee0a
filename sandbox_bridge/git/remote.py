"""The session branch on the remote: where it is, and how it comes to be known here."""

from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.command import OVER_THE_NETWORK


async def tip(checkout: Checkout) -> str | None:
    """The commit that the session branch has on the remote now; None when it is not there."""
    listed = await checkout.git(
        "ls-remote", checkout.url, checkout.remote_branch, timeout=OVER_THE_NETWORK
    )
    commit = listed.decode().partition("\t")[0]
    return commit or None


async def fetch(checkout: Checkout) -> str | None:
    """Bring the session branch here as `origin/<branch>`, if the remote has it.

    Neither the checkout nor what is remembered as our own push is touched.
    """
    if await tip(checkout) is None:
        return None
    await checkout.git(
        *("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"),
        *("--", checkout.url, f"+{checkout.remote_branch}:{checkout.tracking}"),
        timeout=OVER_THE_NETWORK,
    )
    return await checkout.commit_at(checkout.tracking)
