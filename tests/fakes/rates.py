"""Rates in memory."""

from datetime import datetime, timedelta

from shared.domain.rate import Rate
from tests.fakes.store_memory import Memory


class InMemoryRates:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def reserve(
        self, name: str, now: datetime, rate: Rate, *, within: timedelta | None = None
    ) -> datetime:
        with self._memory.writing():
            full = self._memory.rates.get(name)
            at = rate.at(full, now)
            if within is None or at <= now + within:
                self._memory.rates[name] = rate.after(full, now)
            return at
