"""What the turns know of comparing."""

from typing import Protocol


class Comparing(Protocol):
    def compare(self, *, asked: bool = False) -> None:
        """Begin, and hold up nobody. `asked`: somebody waits, and is told also if it is as it was.

        One that is under way begins anew, as what it has seen is of before.
        """
        ...

    async def close(self) -> None:
        """None is under way any more."""
        ...


class NoComparing:
    """Where there is nobody to hand anything in to."""

    def compare(self, *, asked: bool = False) -> None:
        pass

    async def close(self) -> None:
        pass
