"""Effects in memory, with leases."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from shared.app.ports.sessions import PendingEffect
from tests.fakes.store_memory import Memory


class InMemoryEffects:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def done(self, effect: PendingEffect) -> None:
        with self._memory.writing():
            self._memory.effects.pop((effect.session_id, effect.key), None)

    def due(self, now: datetime, limit: int) -> Sequence[PendingEffect]:
        waiting = [
            effect
            for key, effect in self._memory.effects.items()
            if effect.due <= now and key not in self._memory.stuck
        ]
        return sorted(waiting, key=lambda effect: effect.due)[:limit]

    def lease(self, effect: PendingEffect, now: datetime, until: datetime) -> PendingEffect | None:
        key = (effect.session_id, effect.key)
        with self._memory.writing():
            stored = self._memory.effects.get(key)
            if stored is None or stored.due > now or key in self._memory.stuck:
                return None
            leased = replace(stored, due=until, tries=stored.tries + 1)
            self._memory.effects[key] = leased
        return leased

    def failed(self, effect: PendingEffect, error: str, again: datetime | None) -> None:
        key = (effect.session_id, effect.key)
        with self._memory.writing():
            stored = self._memory.effects.get(key)
            if stored is None or stored.tries != effect.tries:
                return
            self._memory.effects[key] = replace(stored, error=error, due=again or effect.due)
            if again is None:
                self._memory.stuck.add(key)
