"""Brings the checkout of a prebuilt image to where the session's work starts.

It was at some commit of some branch when the image was made, and has what setup left behind. Of
that nothing is overwritten: git refuses where a file would be, and commits that no remote had are
left where they are.
"""

from dataclasses import dataclass

from sandbox_bridge.git import remote
from sandbox_bridge.git.checkout import BASE, PUSHED, Checkout
from sandbox_bridge.git.command import GitFailed
from shared.protocol.bridge import RepositorySpec


@dataclass(frozen=True, slots=True)
class Start:
    """`base`: where the session's work starts. `pushed`: what its branch has on the remote."""

    base: str
    pushed: str | None


async def fetch(checkout: Checkout, spec: RepositorySpec) -> Start:
    """Only what is known of the remote changes. Raises `GitFailed`."""
    # Before the fetch: a remote whose history was rewritten does not make its old commits ours.
    unpublished = await _unpublished(checkout)
    branch = spec.branch or await remote.default_branch(checkout)
    base = await remote.fetch_branch(checkout, branch)
    pushed = await remote.fetch(checkout)
    if unpublished:
        raise GitFailed(f"{unpublished[:10]} is on no remote: it stays checked out")
    return Start(base, pushed)


async def begin(checkout: Checkout, start: Start) -> None:
    """Check out the session branch. Raises `GitFailed`; the checkout is as it was then."""
    await checkout.git(
        *("checkout", "--quiet", "--no-track", "--no-overwrite-ignore"),
        *("-B", checkout.branch, start.pushed or start.base),
    )
    await _remember(checkout, start)


async def make_do(checkout: Checkout) -> None:
    """The session branch begins where the image is. Raises `GitFailed`."""
    head = await checkout.commit_at("HEAD")
    if head is None:
        return
    if not await checkout.commit_at(checkout.local_branch):
        await checkout.git("checkout", "--quiet", "--no-track", "-b", checkout.branch)
    if not await _unpublished(checkout):
        await _remember(checkout, Start(head, None))


async def _remember(checkout: Checkout, start: Start) -> None:
    """What is pushed is measured against these; an image may carry another session's."""
    await checkout.remember(BASE, start.base)
    if start.pushed:
        await checkout.remember(PUSHED, start.pushed)
    else:
        await checkout.git("update-ref", "-d", PUSHED)


async def _unpublished(checkout: Checkout) -> str | None:
    """A commit that would be lost: checked out, or on a branch of the session's name."""
    for reference in ("HEAD", checkout.local_branch):
        commit = await checkout.commit_at(reference)
        if commit and not await _is_published(checkout, commit):
            return commit
    return None


async def _is_published(checkout: Checkout, commit: str) -> bool:
    return bool(
        await checkout.git.line("for-each-ref", "--count=1", "--contains", commit, "refs/remotes")
    )
