"""Pushes what the session has to its branch, and believes it when the remote says so. No force."""

from dataclasses import dataclass

from sandbox_bridge.git import remote
from sandbox_bridge.git.checkout import BASE, PUSHED, Checkout
from sandbox_bridge.git.command import PUSHING, GitFailed


@dataclass(frozen=True, slots=True)
class Push:
    """`commit` is what the remote's session branch has now; None when there was nothing new."""

    commit: str | None = None
    notes: tuple[str, ...] = ()


async def push(checkout: Checkout) -> Push:
    """Whatever is checked out, on whichever branch or none. Raises `GitFailed`."""
    head = await checkout.commit_at("HEAD")
    pushed = await checkout.commit_at(PUSHED)
    known = pushed or await checkout.commit_at(BASE)
    if head is None:
        return Push()
    if known and await checkout.is_in(head, known):
        return Push(notes=_behind(checkout) if pushed and head != pushed else ())
    await _send(checkout, head, pushed)
    await checkout.remember(PUSHED, head)
    await checkout.remember(checkout.tracking, head)
    return Push(head)


def _behind(checkout: Checkout) -> tuple[str, ...]:
    return (f"{checkout.branch} keeps commits on the remote that the agent took back here",)


async def _send(checkout: Checkout, head: str, pushed: str | None) -> None:
    try:
        await checkout.git(
            *("push", "--quiet", "--no-verify", "--no-follow-tags", "--recurse-submodules=no"),
            *("--", checkout.url, f"{head}:{checkout.remote_branch}"),
            timeout=PUSHING,
        )
    except GitFailed as refusal:
        raise await _explained(checkout, head, pushed, refusal) from None
    there = await remote.tip(checkout)
    if there != head:
        raise GitFailed(f"{checkout.branch} is at {there} on the remote after the push of {head}")


async def _explained(
    checkout: Checkout, head: str, pushed: str | None, refusal: GitFailed
) -> GitFailed:
    """The reason of a refusal: git's own, unless the remote has what this checkout lacks."""
    try:
        theirs = await remote.fetch(checkout)
    except GitFailed:
        return refusal
    if theirs is None or await checkout.is_in(theirs, head):
        return refusal
    if theirs == pushed:
        return GitFailed(
            f"the agent rewrote commits that are already on {checkout.branch}: nothing was forced"
        )
    return GitFailed(
        f"somebody else pushed {theirs[:10]} to {checkout.branch}: "
        f"it is here as origin/{checkout.branch}, nothing was forced"
    )
