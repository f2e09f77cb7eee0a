"""Whether a repository can be reached, asked before a session is made for it."""

from typing import Protocol


class Repositories(Protocol):
    def check(self, url: str) -> None:
        """Raises `NotFound` (with a sentence) when no git repository answers at this URL, and
        `Unavailable` when nothing can be said now.
        """
        ...
