"""Work that a commit asked for: performed by whoever committed, else by the sweep.

Each is idempotent at the vendor under its own key (execution name, schedule name, task token), so
at-least-once is enough. A row is deleted when its work is done, and only then.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import assert_never

from shared.app.inboxes import Inboxes
from shared.app.ports.sessions import EffectStore, PendingEffect
from shared.app.ports.workflow import Lives, Timers
from shared.domain.session.decision import ArmTimer, CompleteTask, StartLife, UpdateInboxes

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
MAX_TRIES = 8
SWEEP_BATCH = 100


@dataclass(frozen=True, slots=True)
class Effects:
    store: EffectStore
    lives: Lives
    timers: Timers
    inboxes: Inboxes
    clock: Callable[[], datetime]

    def perform_all(self, effects: Iterable[PendingEffect]) -> None:
        """Best effort: what fails here keeps its row, and is due again in 30 seconds."""
        for effect in effects:
            try:
                self._perform(effect)
                self.store.done(effect)
            except Exception:
                logger.exception("effect_failed", extra=_fields(effect))

    def sweep(self) -> int:
        """Perform what is due and nobody else has leased; answers how many were done."""
        now = self.clock()
        due = self.store.due(now, SWEEP_BATCH)
        return sum(self._redrive(effect, now) for effect in due)

    def _redrive(self, effect: PendingEffect, now: datetime) -> bool:
        leased = self.store.lease(effect, now, now + LEASE)
        if leased is None:
            return False
        try:
            self._perform(leased)
            self.store.done(leased)
        except Exception as error:
            logger.exception("effect_failed", extra=_fields(leased))
            again = None if leased.tries >= MAX_TRIES else now + LEASE * leased.tries
            self.store.failed(leased, f"{type(error).__name__}: {error}", again)
            return False
        return True

    def _perform(self, pending: PendingEffect) -> None:
        match pending.effect:
            case StartLife(attempt, life):
                self.lives.start(pending.session_id, attempt, life)
            case CompleteTask(token, outcome, seconds):
                self.lives.complete(token, outcome, seconds)
            case ArmTimer(attempt, due):
                self.timers.poke_at(pending.session_id, attempt, due)
            case UpdateInboxes():
                self.inboxes.update(pending.session_id)
            case _:
                assert_never(pending.effect)


def _fields(effect: PendingEffect) -> dict[str, object]:
    return {
        "session_id": effect.session_id,
        "effect": type(effect.effect).__name__,
        "key": effect.key,
        "tries": effect.tries,
    }
