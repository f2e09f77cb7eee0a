"""What is going to happen, and when: the one virtual clock of a simulated world."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True, eq=False)
class Item:
    at: float
    name: str
    act: Callable[[], None]


class Agenda:
    """`now` is in seconds and moves only when nothing is due."""

    def __init__(self) -> None:
        self.now = 0.0
        self._items: list[Item] = []

    def add(self, delay: float, name: str, act: Callable[[], None]) -> Item:
        item = Item(self.now + max(0.0, delay), name, act)
        self._items.append(item)
        return item

    def drop(self, item: Item | None) -> None:
        """One that is over, or was never there, is fine."""
        if item is not None and item in self._items:
            self._items.remove(item)

    def pending(self, name: str) -> list[Item]:
        return [item for item in self._items if item.name.startswith(name)]

    def take(self, choose: Callable[[int], int]) -> Item | None:
        """One of those that are due; when there is none, time passes until there is."""
        if not self._items:
            return None
        due = [item for item in self._items if item.at <= self.now]
        if not due:
            first = min(self._items, key=_at)
            self.now = first.at
            due = [first]
        item = due[choose(len(due))] if len(due) > 1 else due[0]
        self._items.remove(item)
        return item

    def take_first(self) -> Item | None:
        """The earliest, for a world in which nothing overtakes anything."""
        if not self._items:
            return None
        first = min(self._items, key=_at)
        self.now = max(self.now, first.at)
        self._items.remove(first)
        return first


def _at(item: Item) -> float:
    return item.at
