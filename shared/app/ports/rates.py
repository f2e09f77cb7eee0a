"""Rates that everything in the deployment keeps together, however many functions run at once."""

from datetime import datetime, timedelta
from typing import Protocol

from shared.domain.rate import Rate


class Rates(Protocol):
    def reserve(
        self, name: str, now: datetime, rate: Rate, *, within: timedelta | None = None
    ) -> datetime:
        """When the caller may go: it has a place, which nobody else gets, and waits till then.

        Later than `within` from now it gets no place, and is told when to ask again: who goes away
        to wait must not take a new place at each return. Places are not given back. Asked again
        after an unknown outcome, there may be one too many, and so it is later, never too often.
        Raises `Contended`, `Unavailable`.
        """
        ...
