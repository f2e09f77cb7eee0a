"""Rates, each one item that holds one moment. Nobody reads first: the conditions know the case."""

from datetime import UTC, datetime, timedelta

from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from shared.adapters.dynamodb import keys
from shared.adapters.dynamodb.failures import Refused
from shared.adapters.dynamodb.table import Table
from shared.adapters.dynamodb.writes import ABSENT, Item, Update, assign, number
from shared.domain.errors import Contended
from shared.domain.rate import Rate

_TRIES = 5
"""The case changes at most when the waiting ends, so that a second try is rare already."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)
_FULL = "full"


class DynamoRates:
    def __init__(self, workspace: Table) -> None:
        self._workspace = workspace

    def reserve(
        self, name: str, now: datetime, rate: Rate, *, within: timedelta | None = None
    ) -> datetime:
        for _ in range(_TRIES):
            full = self._go_at_once(name, now, rate)
            if full is None:
                return now
            at = rate.at(full, now)
            if within is not None and at > now + within:
                return at
            full = self._stand_in_line(name, now, rate, within)
            if full is not None:
                return rate.at(full, now)
        raise Contended(f"others are asking for the rate {name!r}; try again")

    def _go_at_once(self, name: str, now: datetime, rate: Rate) -> datetime | None:
        """None: done. Else when it is full, which is ahead."""
        nobody_ahead = ABSENT | (Path(_FULL) <= number(_ticks(now)))
        change = assign(full=number(_ticks(rate.after(None, now))))
        try:
            self._workspace.write(Update(keys.rate(name), keys.RATE, change, nobody_ahead))
        except Refused as refused:
            if refused.item is None:
                raise  # nothing is there, and that is one of the two conditions
            return _full(refused.item)
        return None

    def _stand_in_line(
        self, name: str, now: datetime, rate: Rate, within: timedelta | None
    ) -> datetime | None:
        """When it was full before. None: nobody is ahead any more, or too many are by now."""
        there = Path(_FULL) > number(_ticks(now))
        if within is not None:
            there &= Path(_FULL) <= number(_ticks(now + within + (rate.burst - 1) * rate.every))
        change: list[Action] = [Path(_FULL).set(Path(_FULL) + number(rate.every // _TICK))]
        try:
            left = self._workspace.write(Update(keys.rate(name), keys.RATE, change, there))
        except Refused:
            return None
        return _full(left) - rate.every


def _full(item: Item) -> datetime:
    return _EPOCH + int(item[_FULL]["N"]) * _TICK


def _ticks(moment: datetime) -> int:
    return (moment - _EPOCH) // _TICK
