"""What may happen to a write on its way: for the fakes and for the real adapter alike."""

from collections.abc import Callable, Iterable, Iterator
from enum import Enum, auto
from threading import RLock


class Fault(Enum):
    DROPPED = auto()
    """It never arrived."""
    LOST = auto()
    """It was applied, and the answer was lost."""
    CONFLICT = auto()
    """Another transaction was at the same item: not applied."""


type Happening = Fault | Callable[[], object] | None
"""A fault; or somebody else's turn between this writer's reading and its writing; or nothing."""


class Faults:
    """Happens to the writes to come, one each and in order; nothing when the script is empty."""

    def __init__(self) -> None:
        self._script: Iterator[Happening] = iter(())
        self._lock = RLock()

    def plan(self, *script: Happening) -> None:
        self.follow(script)

    def follow(self, script: Iterable[Happening]) -> None:
        """A script without an end keeps on happening, until the next one."""
        self._script = iter(script)

    def meet(self) -> Fault | None:
        """Called before each write."""
        with self._lock:
            happening = next(self._script, None)
        if callable(happening):
            happening()
            return None
        return happening
