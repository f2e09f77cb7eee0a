"""Whether a bridge that died is started again, and how soon."""

from datetime import timedelta

MOST_IN_A_ROW = 6
FIRST_DELAY = timedelta(milliseconds=500)
LONGEST_DELAY = timedelta(seconds=20)
LIVED_WELL = timedelta(minutes=5)
"""A bridge that lived this long had no trouble with starting."""


class Restarts:
    def __init__(self, first_delay: timedelta = FIRST_DELAY) -> None:
        self._first_delay = first_delay
        self._in_a_row = 0

    def after(self, lived: timedelta) -> timedelta | None:
        """How long to wait before the next start; None when enough have failed."""
        self._in_a_row = 0 if lived >= LIVED_WELL else self._in_a_row
        self._in_a_row += 1
        if self._in_a_row > MOST_IN_A_ROW:
            return None
        return min(LONGEST_DELAY, self._first_delay * 2 ** (self._in_a_row - 1))
