"""Whose name stands on commits: the author of the prompt, in our commits and in the agent's own."""

import re
from dataclasses import dataclass
from typing import Final

from sandbox_bridge.git.checkout import Checkout

_NOT_IN_A_NAME: Final = re.compile(r"[<>\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Author:
    name: str
    email: str

    @property
    def variables(self) -> dict[str, str]:
        return {"GIT_AUTHOR_NAME": self.name, "GIT_AUTHOR_EMAIL": self.email}


def author(name: str, email: str) -> Author:
    """As git can write it down; it refuses an empty name."""
    return Author(_cleaned(name) or "unknown", _cleaned(email) or "unknown@localhost")


def _cleaned(text: str) -> str:
    return _NOT_IN_A_NAME.sub("", text).encode(errors="replace").decode().strip(" .,:;\"'")


async def sign_as(checkout: Checkout, author: Author) -> None:
    """For the agent's own `git commit`, which finds no other identity in the sandbox."""
    await checkout.git("config", "--local", "user.name", author.name)
    await checkout.git("config", "--local", "user.email", author.email)
    await checkout.git("config", "--local", "commit.gpgSign", "false")
