"""Lists of code hosts in memory."""

from datetime import datetime

from shared.app.ports.forge_lists import Kept
from tests.fakes.store_memory import Memory


class InMemoryForgeLists:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def get(self, name: str) -> Kept | None:
        return self._memory.forge_lists.get(name)

    def put(self, name: str, kept: Kept, expires_at: datetime) -> None:
        with self._memory.writing():
            self._memory.forge_lists[name] = kept
