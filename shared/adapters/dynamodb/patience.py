"""How often a call of unknown result is asked about again, and how long apart."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from shared.adapters.dynamodb.failures import Unknown
from shared.domain.errors import Contended, Unavailable


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Bounded, with exponential pauses and full jitter.

    botocore's own retries are off: they would hide that an earlier try may have been applied.
    """

    sleep: Callable[[float], None]
    random: Callable[[], float]
    """Uniform in [0, 1)."""
    tries: int = 5
    """At five seconds each, the longest wait ends before API Gateway gives up at 29."""
    first: timedelta = timedelta(milliseconds=25)
    longest: timedelta = timedelta(milliseconds=400)

    def insist[T](self, call: Callable[[], T]) -> T:
        """For calls that are safe to repeat. Raises `Contended` or `Unavailable` in the end."""
        for turn in range(1, self.tries):
            try:
                return call()
            except Unknown:
                self.sleep(self._pause(turn).total_seconds())
        try:
            return call()
        except Unknown as last:
            if last.contended:
                raise Contended("too many are writing at once; try again") from last
            raise Unavailable("the database does not answer; try again") from last

    def _pause(self, turn: int) -> timedelta:
        return min(self.longest, self.first * 2 ** (turn - 1)) * self.random()
