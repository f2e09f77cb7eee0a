"""How often something may be done: a token bucket, kept as the one moment at which it is full.

That moment is when the last of those who were let go would have gone if they all went evenly. As
far as it lies ahead, so many are ahead; it only ever moves forward, by one interval for each.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Rate:
    """In no time does more go than `burst` and one for each whole interval of that time."""

    every: timedelta
    burst: int = 1

    def __post_init__(self) -> None:
        if self.every <= timedelta() or self.burst < 1:
            raise ValueError(f"{self} lets nothing go, or everything")

    def at(self, full: datetime | None, now: datetime) -> datetime:
        """When the next one may go. None: nobody has ever gone."""
        return now if full is None else max(now, full - (self.burst - 1) * self.every)

    def after(self, full: datetime | None, now: datetime) -> datetime:
        """When it is full once the next one has its place."""
        return (now if full is None else max(now, full)) + self.every
