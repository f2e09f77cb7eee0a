"""A repository of the session in the workspace, and the references that Outboard keeps in it.

`refs/outboard/base` is where the session began, `refs/outboard/pushed` what the session last had on
its branch. They are our own, so that nothing the agent does to remotes or branches can make us
believe that something was pushed.
"""

from dataclasses import dataclass
from typing import Final

from sandbox_bridge.git.command import Git

BASE: Final = "refs/outboard/base"
PUSHED: Final = "refs/outboard/pushed"


@dataclass(frozen=True, slots=True)
class Checkout:
    """`url` is the session's: the agent may point `origin` elsewhere."""

    name: str
    url: str
    branch: str
    git: Git

    @property
    def remote_branch(self) -> str:
        return f"refs/heads/{self.branch}"

    @property
    def local_branch(self) -> str:
        return f"refs/heads/{self.branch}"

    @property
    def tracking(self) -> str:
        return f"refs/remotes/origin/{self.branch}"

    async def commit_at(self, reference: str) -> str | None:
        """None when there is none, as in a repository without a commit."""
        if not await self.git.succeeds(
            "rev-parse", "--quiet", "--verify", f"{reference}^{{commit}}"
        ):
            return None
        return await self.git.line("rev-parse", "--verify", f"{reference}^{{commit}}")

    async def is_in(self, commit: str, other: str) -> bool:
        return await self.git.succeeds("merge-base", "--is-ancestor", commit, other)

    async def remember(self, reference: str, commit: str) -> None:
        await self.git("update-ref", reference, commit)
