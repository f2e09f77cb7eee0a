"""EventBridge Scheduler fires within a second, and what it fired stays fired.

MiniStack looks every ten seconds, forgets at a restart which schedules have fired (so every rate()
fires at once, and a one-time schedule that is kept fires again), and drops a one-time schedule
before its target has run.
"""

from collections.abc import Callable
from typing import Any

from ministack import app
from ministack.core.responses import AccountRegionScopedDict
from ministack.services import scheduler

from infra.local.aws import emulator
from infra.local.aws.ledger import Ledger

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"

_TICK_SECONDS = 1


def install(ledger: Ledger, save: Callable[[], None]) -> None:
    """`save` writes the scheduler's state; called on the loop, where the API changes it too."""
    scheduler._SCHEDULE_TICK_INTERVAL = _TICK_SECONDS
    tick = scheduler._tick_schedules

    def tick_and_save() -> None:
        before = _seen()
        with ledger.transaction():  # so that no snapshot is taken while schedules are dropped
            tick()
        if _seen() != before:
            app._MAIN_LOOP.call_soon_threadsafe(save)

    scheduler._tick_schedules = tick_and_save


def _seen() -> tuple[dict[Any, float], set[Any]]:
    return dict(scheduler._schedule_last_fired), set(scheduler._schedules._data)


def remember_what_fired() -> None:
    """Installed before state is restored."""
    get_state, restore = scheduler.get_state, scheduler.load_persisted_state

    def with_fired() -> Any:
        fired = AccountRegionScopedDict()
        fired._data.update(scheduler._schedule_last_fired)
        return {**get_state(), "last_fired": fired}

    def restore_with_fired(state: Any) -> None:
        restore(state)
        scheduler._schedule_last_fired.update(state["last_fired"]._data)

    scheduler.get_state, scheduler.load_persisted_state = with_fired, restore_with_fired
