"""EventBridge Scheduler: one pending poke for each attempt, at least once, about on time."""

from collections.abc import Callable
from datetime import datetime

from shared.domain.session.state import SessionId
from tests.simulation.agenda import Item
from tests.simulation.lambdas import Lambdas

type Poke = Callable[[SessionId, int], None]


class Timers:
    def __init__(self, lambdas: Lambdas, poke: Poke, done: set[object]) -> None:
        self._done = done
        self._lambdas = lambdas
        self._nature = lambdas.nature
        self._poke = poke
        self._pending: dict[tuple[SessionId, int], Item] = {}

    def poke_at(self, session_id: SessionId, attempt: int, due: datetime) -> None:
        key = (session_id, attempt)
        self._done.add((attempt, due))
        self._nature.agenda.drop(self._pending.pop(key, None))
        delay = (due - self._nature.true_clock()).total_seconds()
        chaos, within = self._nature.chaos, self._nature.within
        if chaos.strikes("poke early"):
            delay -= within(0.0, 300.0)
        if chaos.strikes("poke late"):
            delay += within(60.0, 600.0)
        delay = max(0.1, delay) + within(0.0, 5.0)
        self._pending[key] = self._nature.agenda.add(
            delay, f"poke {attempt}", lambda: self._fire(session_id, attempt)
        )

    def _fire(self, session_id: SessionId, attempt: int) -> None:
        self._pending.pop((session_id, attempt), None)
        chaos = self._nature.chaos
        if chaos.strikes("poke repeated"):
            self._nature.later("poke", lambda: self._invoke(session_id, attempt, 0), 0.0, 90.0)
        if not chaos.strikes("poke lost"):
            self._invoke(session_id, attempt, 2)

    def _invoke(self, session_id: SessionId, attempt: int, again: int) -> None:
        """An asynchronous invocation that fails is tried twice more."""
        ended = self._lambdas.call("inactivity", lambda: self._poke(session_id, attempt))
        failed = ended.killed or ended.error is not None
        if failed and again:
            self._nature.later(
                "poke", lambda: self._invoke(session_id, attempt, again - 1), 50.0, 130.0
            )
