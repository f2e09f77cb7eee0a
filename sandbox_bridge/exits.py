"""What the exit status of a bridge tells its supervisor."""

from typing import Final

RETIRED: Final = 0
"""The attempt is over; nothing is to be started again."""

UNUSABLE: Final = 78
"""What it was started with is wrong; starting again changes nothing."""

GAVE_UP: Final = 75
"""Of the supervisor: the bridge died too often."""

FINAL: Final = frozenset({RETIRED, UNUSABLE})
