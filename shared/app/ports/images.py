"""Prebuilt images: sandboxes that were set up beforehand."""

from typing import Protocol

from shared.domain.session.state import Repository


class Images(Protocol):
    def of(self, target: tuple[Repository, ...]) -> str | None:
        """The one that is ready for these very repositories, in this order; None: there is none.

        With their branches, whatever they are called. Raises `Invalid` for a URL that names none.
        """
        ...

    def register(self, target: tuple[Repository, ...], image: str) -> None:
        """Sessions begin with it from now on; it takes the place of the one before."""
        ...

    def forget(self, target: tuple[Repository, ...]) -> None:
        """None is fine."""
        ...
